extension RecordDiff where Element == any GraphRecord {
  /// Compares the records of two graphs of one cache.
  ///
  /// - Parameters:
  ///   - old: The graph before, if there was one.
  ///   - new: The graph as it is.
  ///   - written: The records that were written since.
  /// - Complexity: O(*n*) in the records of both graphs.
  init<Root: GraphRecord>(from old: Graph<Root>?, to new: Graph<Root>?, written: Set<AnyRef>) {
    let comparison = RecordComparison<any GraphRecord>()
    var left = old?.recordsByRef ?? [:]
    for node in new?.storage.order ?? [] {
      guard let new else { break }
      let (ref, record) = (new.storage.ref(of: node), new.record(node))
      guard let before = left.removeValue(forKey: ref) else {
        inserted.append(record)
        continue
      }
      if comparison.isUpdate(before, record, wasWritten: written.contains(ref)) {
        updated.append(.init(old: before, new: record))
      }
    }
    for node in old?.storage.order ?? [] {
      guard let old, let record = left[old.storage.ref(of: node)] else { continue }
      removed.append(record)
    }
  }
}

extension Graph {
  fileprivate var recordsByRef: [AnyRef: any GraphRecord] {
    var records: [AnyRef: any GraphRecord] = [:]
    for node in storage.order { records[storage.ref(of: node)] = record(node) }
    return records
  }

  /// The records of the graph and the refs that led to none: what a change of makes it another.
  var observedIDs: [IDs] {
    zip(storage.columns.typeNumbers, storage.columns).compactMap { $1?.observedIDs($0) }
      .filter { !$0.isEmpty }
  }

  /// Who observes the graph observes these; where it follows an inverse, all that may refer to a
  /// record of the graph.
  var interest: ObserverRegistry.Interest {
    let types = Set(storage.columns.flatMap { $0?.backwardEdges.map(\.source) ?? [] })
    let ids = observedIDs.filter { !types.contains($0.type) }
    return types.isEmpty ? .records(ids) : .graph(ids, types: types.sorted())
  }

  /// Whether the graph holds a record, or knows that there is none.
  func knows(_ ref: AnyRef) -> Bool {
    guard let number = storage.schema.number(of: ref.type), let column = storage.columns[number]
    else { return false }
    return column.link(to: ref) != Link.unloaded
  }

  /// The record of a ref, if the graph holds it.
  func record(of ref: AnyRef) -> (any GraphRecord)? { storage.key(of: ref).map { record($0) } }
}
