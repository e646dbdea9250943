/// For each target, the sources that refer to it, in the order in which they were added.
///
/// Its users do not know the types: see `IDPositions`.
struct ReferrerLists<SourceID: Hashable & Sendable, TargetID: Hashable & Sendable>: Sendable {
  /// The sources of one target, with the turn in which each was added.
  ///
  /// Usually there is only one, which has no memory of its own.
  enum Sources: Sendable {
    case nobody
    case one(SourceID, turn: Int)
    case many([SourceID: Int])
  }

  private(set) var lists: [TargetID: Sources] = [:]
  private(set) var turn = 0

  init() {}

  var isEmpty: Bool { lists.isEmpty }

  mutating func reserveCapacity(_ count: Int) { lists.reserveCapacity(count) }

  /// Removes all, but keeps the turn.
  mutating func removeAll() { lists = [:] }

  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  mutating func add(_ source: SourceID, to targets: [TargetID]) {
    for target in targets {
      turn &+= 1
      lists[target, default: .nobody].add(source, turn)
    }
  }

  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  mutating func remove(_ source: SourceID, from targets: [TargetID]) {
    for target in targets {
      guard let index = lists.index(forKey: target) else { continue }
      lists.values[index].remove(source)
      if case .nobody = lists.values[index] { lists.remove(at: index) }
    }
  }

  /// Appends the sources that refer to a target, and were added since a turn, to others.
  ///
  /// - Complexity: O(*n* log *n*) in the sources.
  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  func appendSources(of target: TargetID, since moment: Int = 0, to sources: inout [SourceID]) {
    switch lists[target] {
    case nil, .nobody: return
    case .one(let source, let turn): if turn > moment { sources.append(source) }
    case .many(let turns):
      for (source, turn) in turns.sorted(by: { $0.value < $1.value }) where turn > moment {
        sources.append(source)
      }
    }
  }

  /// Appends the sources that refer to some targets to others, target by target.
  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  func appendSources(of targets: ArraySlice<TargetID>, to sources: inout [SourceID]) {
    for target in targets { appendSources(of: target, to: &sources) }
  }

  /// Returns the sources that refer to a target, and were added since a turn.
  ///
  /// - Complexity: O(*n* log *n*) in the sources.
  func sources(of target: TargetID, since moment: Int = 0) -> [SourceID] {
    var sources: [SourceID] = []
    appendSources(of: target, since: moment, to: &sources)
    return sources
  }
}

extension ReferrerLists.Sources {
  /// Adds a source unless it was added before.
  mutating func add(_ source: SourceID, _ turn: Int) {
    switch self {
    case .nobody: self = .one(source, turn: turn)
    case .one(let other, let before):
      if other != source { self = .many([other: before, source: turn]) }
    case .many(var turns):
      // Only one reference may be left, or the sources would be copied.
      self = .nobody
      if turns[source] == nil { turns[source] = turn }
      self = .many(turns)
    }
  }

  /// Removes a source, if it is there.
  mutating func remove(_ source: SourceID) {
    switch self {
    case .nobody: return
    case .one(let other, _): if other == source { self = .nobody }
    case .many(var turns):
      self = .nobody
      turns[source] = nil
      if !turns.isEmpty { self = .many(turns) }
    }
  }
}
