/// Where what has an id is, by the ids.
///
/// Most who ask do not know the type of the ids: a body of its own for the usual ones takes them a
/// fraction of the time.
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

  /// The position of an id; one that is given for it if it has none.
  ///
  /// - Complexity: O(1), amortised.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  @usableFromInline
  mutating func find(_ id: ID, orInsertAt position: Int) -> Int {
    func value(_ position: inout Int) -> Int { position }
    return value(&positions[id, default: position])
  }

  /// Makes room for a number of ids.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func reserveCapacity(_ count: Int) { positions.reserveCapacity(count) }
}
