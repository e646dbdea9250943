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
