extension RecordDiff where Element == any GraphRecord {
  /// Compares the records of two graphs of one cache, the first of which is `nil` if there was
  /// none.
  ///
  /// The marked records may have changed since; each mark says whether the record was written. They
  /// are `nil` if any record may have changed.
  ///
  /// - Complexity: O(*m*) in the marked records; unless they are known to hold the same records,
  ///   O(*n*) in the ids of both.
  init<Root: GraphRecord>(
    from old: Graph<Root>?, to new: Graph<Root>?, marked: [AnyRef: Bool]? = [:],
    haveSameRecords: Bool = false
  ) {
    if !haveSameRecords {
      inserted = new?.records(notIn: old) ?? []
      removed = old?.records(notIn: new) ?? []
    }
    guard let old, let new else { return }
    let comparison = RecordComparison<any GraphRecord>()
    for (ref, wasWritten) in marked ?? new.allWritten {
      guard let before = old.record(of: ref), let record = new.record(of: ref) else { continue }
      if comparison.isUpdate(before, record, wasWritten: wasWritten) {
        updated.append(.init(old: before, new: record))
      }
    }
  }
}

extension Graph {
  /// The records that are not in another graph.
  fileprivate func records(notIn other: Graph?) -> [any GraphRecord] {
    guard let other else { return storage.order.map { record($0) } }
    return zip(storage.columns, other.storage.columns).flatMap { column, other in
      column.map { column in
        column.places(notIn: other).map { column.record(at: $0) }
      } ?? []
    }
  }

  /// All records, as if each had been written.
  fileprivate var allWritten: [AnyRef: Bool] {
    Dictionary(storage.order.lazy.map { (storage.ref(of: $0), true) }) { first, _ in first }
  }

  /// The records of the graph, and the refs that led to no record: a change of any of them changes
  /// the graph.
  var observedIDs: [IDs] {
    zip(storage.columns.typeNumbers, storage.columns).compactMap { $1?.observedIDs($0) }
      .filter { !$0.isEmpty }
  }

  /// The records to observe for the graph; if it follows an inverse, also the types that may refer
  /// to its records.
  ///
  /// The observer of a large graph is not registered for each of its records: they are looked up in
  /// the graph.
  var interest: ObserverRegistry.Interest {
    let types = Set(storage.columns.flatMap { $0?.backwardEdges.map(\.source) ?? [] })
    if storage.order.count > Chunk.size {
      for column in storage.columns { column?.prepareIndex() }
      return .graph(storage, types: types.sorted())
    }
    return .records(observedIDs.filter { !types.contains($0.type) }, types: types.sorted())
  }

  /// Returns whether the graph holds a record, or knows that it does not exist.
  func knows(_ ref: AnyRef) -> Bool {
    guard let number = storage.schema.number(of: ref.type), let column = storage.columns[number]
    else { return false }
    return column.link(to: ref) != Link.unloaded
  }

  /// The record of a ref, if the graph holds it.
  func record(of ref: AnyRef) -> (any GraphRecord)? { storage.key(of: ref).map { record($0) } }

  // MARK: Without another walk

  /// Returns the node of a ref, if the graph holds its record and a newer value of that has the
  /// same refs.
  func node(_ ref: AnyRef, ofSameRefs record: any GraphRecord) -> NodeKey? {
    guard let node = storage.key(of: ref) else { return nil }
    let isSame = storage.column(of: node).hasSameRefs(record, at: Int(node.index))
    return isSame ? node : nil
  }

  /// Returns whether a written record does not concern the graph: the graph does not hold it, and
  /// its inverses do not lead there.
  ///
  /// If the graph has a limit, it may have left out a record that its refs lead to.
  func isBeyond(_ ref: AnyRef, _ record: any GraphRecord) -> Bool {
    if knows(ref) || storage.origins.contains(where: { $0.rules.budget != .max }) { return false }
    func refs<R: GraphRecord>(_ record: R, by edge: EdgeID) -> [AnyRef] {
      R.relationships.elements[edge.number].refs(record)
    }
    let edges = storage.columns.flatMap { $0?.backwardEdges ?? [] }
    return edges.allSatisfy { edge in
      storage.schema.type(edge.source) != ref.type
        || refs(record, by: edge).allSatisfy { !knows($0) }
    }
  }

  /// Returns the graph with other values of some of its records, whose refs are the same.
  func changing(_ changed: [NodeKey: any GraphRecord]) -> Graph {
    Graph(GraphStorage(storage, changing: changed.map { ($0, $1) }))
  }
}
