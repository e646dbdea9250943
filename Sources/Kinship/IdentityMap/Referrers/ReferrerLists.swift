/// For each target, the sources that refer to it, in the order in which they came to refer to it.
///
/// Who uses it does not know the types: see `IDPositions`.
struct ReferrerLists<SourceID: Hashable & Sendable, TargetID: Hashable & Sendable>: Sendable {
  /// By target: the sources, with the turn in which each came.
  var turns: [TargetID: [SourceID: Int]] = [:]
  var turn = 0

  init() {}

  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  mutating func add(_ source: SourceID, to targets: [TargetID]) {
    for target in targets where turns[target]?[source] == nil {
      turn &+= 1
      turns[target, default: [:]][source] = turn
    }
  }

  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  mutating func remove(_ source: SourceID, from targets: [TargetID]) {
    for target in targets {
      guard let index = turns.index(forKey: target) else { continue }
      turns.values[index][source] = nil
      if turns.values[index].isEmpty { turns.remove(at: index) }
    }
  }

  /// The sources that refer to a target.
  ///
  /// - Complexity: O(*n* log *n*) in the sources.
  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  func sources(of target: TargetID) -> [SourceID] {
    guard let sources = turns[target] else { return [] }
    if sources.count == 1 { return Array(sources.keys) }
    return sources.sorted { $0.value < $1.value }.map { $0.key }
  }
}
