/// A graph as an observer follows it: decides when it must be walked again, and what is worth an
/// element.
struct ObservedGraph<Root: GraphRecord>: Sendable {
  private var shown: Graph<Root>?
  private var wasLoading = false
  /// The records that were written since the last element.
  private var written: Set<AnyRef> = []
  /// Whether the graph may be another by now.
  private(set) var isOutOfDate = false

  /// The first element, at once: with what is there.
  mutating func first(_ graph: Graph<Root>?, isPartial: Bool) -> GraphChange<Root> {
    isOutOfDate = isPartial
    return show(graph, RecordDiff(from: nil, to: graph, written: []), isLoading: isPartial)
  }

  /// Takes in what has happened to the records of the graph.
  mutating func apply(_ marks: Marks<AnyRef, any GraphRecord>) {
    for (ref, mark) in marks.byKey {
      switch mark {
      // That a record comes back into memory is no reason to walk again.
      case .loaded(let record) where isKnown(ref, record): continue
      case .loaded where shown?.knows(ref) == false: continue
      case .loaded: break
      case .removed where shown?.record(of: ref) == nil: continue
      case .written, .removed, .unknown: written.insert(ref)
      }
      isOutOfDate = true
    }
    // Of a whole type not every mark is kept.
    if marks.loss != nil { isOutOfDate = true }
  }

  private func isKnown(_ ref: AnyRef, _ record: any GraphRecord) -> Bool {
    guard let old = shown?.record(of: ref) else { return false }
    return !RecordComparison().isUpdate(old, record, wasWritten: false)
  }

  /// The next element, if there is anything to tell.
  ///
  /// - Parameters:
  ///   - graph: The newest graph, or `nil` if its root does not exist.
  ///   - marks: What has happened to its records while it was loaded.
  /// - Returns: The element, or `nil`.
  mutating func next(
    _ graph: Graph<Root>?, _ marks: Marks<AnyRef, any GraphRecord>
  ) -> GraphChange<Root>? {
    apply(marks)
    isOutOfDate = false
    let diff = RecordDiff(from: shown, to: graph, written: written)
    guard wasLoading || !diff.isEmpty else {
      // The same records; which refs lead to none may differ.
      shown = graph
      written = []
      return nil
    }
    return show(graph, diff, isLoading: false)
  }

  private mutating func show(
    _ graph: Graph<Root>?, _ diff: RecordDiff<any GraphRecord>, isLoading: Bool
  ) -> GraphChange<Root> {
    shown = graph
    wasLoading = isLoading
    written = []
    return GraphChange(value: graph, diff: diff, isLoading: isLoading)
  }
}
