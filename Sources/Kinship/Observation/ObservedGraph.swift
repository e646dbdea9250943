/// The state of an observed graph: decides when to walk it again, and whether to notify the
/// observer.
///
/// If records change but none of their refs, the graph keeps the same records: the next one shares
/// the rest with the previous one.
struct ObservedGraph<Root: GraphRecord>: Sendable {
  private var shown: Graph<Root>?
  private var wasLoading = false
  /// The records that were marked since the last element, and whether one was written.
  private var marked: [AnyRef: Bool] = [:]
  /// The shown records whose properties have changed and whose refs have not, with their new
  /// values.
  private var changed: [NodeKey: any GraphRecord] = [:]
  /// Whether marks were lost: any record may have changed.
  private var hasLost = false
  /// Whether the graph may have other records by now.
  private(set) var mustWalk = false

  /// Whether the shown graph may be out of date.
  var isOutOfDate: Bool { mustWalk || !changed.isEmpty }

  /// Returns the first element, immediately, from memory.
  mutating func first(_ graph: Graph<Root>?, isPartial: Bool) -> ObservedChange<
    Graph<Root>?, GraphDiff
  > {
    show(graph, RecordDiff(from: nil, to: graph), isLoading: isPartial)
  }

  /// Applies the marks on the records of the graph.
  mutating func apply(_ marks: Marks<AnyRef, any GraphRecord>) {
    for (ref, mark) in marks.byKey {
      switch mark {
      // A record that returns to memory is no reason to walk again.
      case .loaded(let record) where isKnown(ref, record): continue
      case .loaded where shown?.knows(ref) == false: continue
      case .loaded(let record): recordChange(ref, record, wasWritten: false)
      case .written(let record) where shown?.isBeyond(ref, record) == true: continue
      case .written(let record): recordChange(ref, record, wasWritten: true)
      case .removed where shown?.record(of: ref) == nil: continue
      case .removed, .unknown: recordChange(ref, nil, wasWritten: true)
      }
    }
    // Not every mark on a whole type is kept.
    if marks.loss != nil { (mustWalk, hasLost) = (true, true) }
  }

  private func isKnown(_ ref: AnyRef, _ record: any GraphRecord) -> Bool {
    guard let old = shown?.record(of: ref) else { return false }
    return !RecordComparison().isUpdate(old, record, wasWritten: false)
  }

  private mutating func recordChange(_ ref: AnyRef, _ record: (any GraphRecord)?, wasWritten: Bool)
  {
    marked[ref] = wasWritten || marked[ref] == true
    if mustWalk { return }
    if let record, let node = shown?.node(ref, ofSameRefs: record) {
      changed[node] = record
    } else {
      mustWalk = true
    }
  }

  /// Returns the next element of the same records, without a walk, if there is a difference.
  ///
  /// - Complexity: O(*m*) in the changed records, and some hundred copies for each.
  mutating func next() -> ObservedChange<Graph<Root>?, GraphDiff>? {
    next(shown?.changing(changed), Marks())
  }

  /// Returns the next element, if there is a difference.
  ///
  /// The newest graph is `nil` if its root does not exist. The marks on its records are from the
  /// time in which it was loaded.
  mutating func next(
    _ graph: Graph<Root>?, _ marks: Marks<AnyRef, any GraphRecord>
  ) -> ObservedChange<Graph<Root>?, GraphDiff>? {
    let isSame = !mustWalk
    apply(marks)
    let diff = RecordDiff(
      from: shown, to: graph, marked: hasLost ? nil : marked, haveSameRecords: isSame)
    guard wasLoading || !diff.isEmpty else {
      // The same records; which refs lead to none may differ.
      keep(graph)
      return nil
    }
    return show(graph, diff, isLoading: false)
  }

  private mutating func show(
    _ graph: Graph<Root>?, _ diff: RecordDiff<any GraphRecord>, isLoading: Bool
  ) -> ObservedChange<Graph<Root>?, GraphDiff> {
    wasLoading = isLoading
    keep(graph)
    mustWalk = isLoading
    return ObservedChange(value: graph, diff: diff, isLoading: isLoading)
  }

  private mutating func keep(_ graph: Graph<Root>?) {
    shown = graph
    (marked, changed) = ([:], [:])
    (mustWalk, hasLost) = (false, false)
  }
}
