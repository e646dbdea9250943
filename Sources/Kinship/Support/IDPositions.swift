/// Positions by id.
///
/// Most callers do not know the type of the ids: separate code for the usual types takes a fraction
/// of the time.
@usableFromInline
struct IDPositions<ID: Hashable & Sendable>: Sendable {
  private var positions: [ID: Int] = [:]

  @usableFromInline
  init() {}

  /// The position of an id.
  ///
  /// - Complexity: O(1) on average.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  func find(_ id: ID) -> Int? { positions[id] }

  /// Notes the position of an id.
  ///
  /// - Complexity: O(1), amortised.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func insert(_ id: ID, at position: Int) { positions[id] = position }

  /// Returns the position of an id, noting a given one if it has none.
  ///
  /// - Complexity: O(1), amortised.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func find(_ id: ID, orInsertAt position: Int) -> Int {
    func value(_ position: inout Int) -> Int { position }
    return value(&positions[id, default: position])
  }

  /// Reserves room for a number of ids.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func reserveCapacity(_ count: Int) { positions.reserveCapacity(count) }
}

/// Ids, each once, in the order in which they were added.
struct OrderedIDs<ID: Hashable & Sendable>: Sendable {
  var list: [ID] = []
  var members: Set<ID> = []

  init() {}

  /// Adds an id; returns whether it is new.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func append(_ id: ID) -> Bool {
    guard members.insert(id).inserted else { return false }
    list.append(id)
    return true
  }

  /// Adds those ids that are new.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func append(contentsOf ids: [ID]) {
    for id in ids where members.insert(id).inserted { list.append(id) }
  }
}

extension Set {
  /// Adds ids.
  ///
  /// Callers that add many at a time do not know their type: see `IDPositions`.
  ///
  /// - Complexity: O(*n*) in the ids, on average.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  mutating func add(_ ids: [Element]) { for id in ids { insert(id) } }
}
