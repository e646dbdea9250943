/// A graph as an observer follows it: decides when it must be walked again, and what is worth an
/// element.
///
/// Where records change and none of their refs, nothing comes into the graph or leaves it: the next
/// one shares all else with the one before.
struct ObservedGraph<Root: GraphRecord>: Sendable {
  private var shown: Graph<Root>?
  private var wasLoading = false
  /// The records of which something was said since the last element, and whether one was written.
  private var marked: [AnyRef: Bool] = [:]
  /// Those that were shown with other properties and the same refs, as they are.
  private var changed: [NodeKey: any GraphRecord] = [:]
  /// Whether marks were lost: any record may have changed.
  private var hasLost = false
  /// Whether the graph may be of other records by now.
  private(set) var mustWalk = false

  /// Whether the graph may be another by now.
  var isOutOfDate: Bool { mustWalk || !changed.isEmpty }

  /// The first element, at once: with what is there.
  mutating func first(_ graph: Graph<Root>?, isPartial: Bool) -> GraphChange<Root> {
    show(graph, RecordDiff(from: nil, to: graph), isLoading: isPartial)
  }

  /// Takes in what has happened to the records of the graph.
  mutating func apply(_ marks: Marks<AnyRef, any GraphRecord>) {
    for (ref, mark) in marks.byKey {
      switch mark {
      // That a record comes back into memory is no reason to walk again.
      case .loaded(let record) where isKnown(ref, record): continue
      case .loaded where shown?.knows(ref) == false: continue
      case .loaded(let record): note(ref, record, wasWritten: false)
      case .written(let record) where shown?.isBeyond(ref, record) == true: continue
      case .written(let record): note(ref, record, wasWritten: true)
      case .removed where shown?.record(of: ref) == nil: continue
      case .removed, .unknown: note(ref, nil, wasWritten: true)
      }
    }
    // Of a whole type not every mark is kept.
    if marks.loss != nil { (mustWalk, hasLost) = (true, true) }
  }

  private func isKnown(_ ref: AnyRef, _ record: any GraphRecord) -> Bool {
    guard let old = shown?.record(of: ref) else { return false }
    return !RecordComparison().isUpdate(old, record, wasWritten: false)
  }

  private mutating func note(_ ref: AnyRef, _ record: (any GraphRecord)?, wasWritten: Bool) {
    marked[ref] = wasWritten || marked[ref] == true
    if mustWalk { return }
    if let record, let node = shown?.node(ref, ofSameRefs: record) {
      changed[node] = record
    } else {
      mustWalk = true
    }
  }

  /// The next element of the same records, if there is anything to tell; nobody must walk.
  ///
  /// - Complexity: O(*m*) in the changed records, and some hundred copies for each.
  mutating func next() -> GraphChange<Root>? {
    next(shown?.changing(changed), Marks())
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
  ) -> GraphChange<Root> {
    wasLoading = isLoading
    keep(graph)
    mustWalk = isLoading
    return GraphChange(value: graph, diff: diff, isLoading: isLoading)
  }

  private mutating func keep(_ graph: Graph<Root>?) {
    shown = graph
    (marked, changed) = ([:], [:])
    (mustWalk, hasLost) = (false, false)
  }
}

/// A graph as it is, and how it differs from what the observer was told before.
public struct GraphChange<Root: GraphRecord>: ObservedChange {
  /// The graph, or `nil` if its root does not exist, or is not loaded yet.
  ///
  /// While it is loading, it holds what is in memory: refs that lead further are unloaded.
  public let value: Graph<Root>?
  /// How the records of the graph differ from those of the one before.
  ///
  /// A removed record is one that the graph does not hold any longer: it may exist, and no
  /// relationship that the plan follows lead to it.
  public let diff: RecordDiff<any GraphRecord>
  /// Whether some of the graph is still to be loaded.
  public let isLoading: Bool
}
