/// One property to sort records by, and which values come first.
public struct SortTerm<R: GraphRecord>: Sendable {
  /// Which values come first.
  public enum Direction: Hashable, Sendable, CaseIterable {
    /// Small values come first.
    case ascending
    /// Large values come first.
    case descending

    var opposite: Direction { self == .ascending ? .descending : .ascending }
  }

  /// Where records come that have no value.
  public enum Nils: Hashable, Sendable, CaseIterable {
    /// Before all others.
    case first
    /// After all others.
    case last

    var opposite: Nils { self == .first ? .last : .first }
  }

  /// The property.
  public let property: any PartialKeyPath<R> & Sendable
  /// Which values come first.
  public private(set) var direction: Direction
  /// Where records come that have no value; it matters for optional properties alone.
  public private(set) var nils: Nils
  /// Whether a store that keeps the values as they are has them in the same order.
  ///
  /// So it is for integers, floating-point numbers, texts by their bytes, `Date` and `UUID`. The
  /// order of other values is known to their type alone.
  public let isStoredOrder: Bool
  /// Whether there may be no value.
  let isOptional: Bool
  /// Whether it is the order by the id that leaves no two records equal.
  package let isTotal: Bool

  private let compare: @Sendable (R, R, Direction, Nils) -> Precedence
  /// What a record is sorted by.
  package let key: @Sendable (R) -> any SortKey
  let keyType: any SortKey.Type
  private let compareKeys: @Sendable (any SortKey, any SortKey, Direction, Nils) -> Precedence

  init<Value: Comparable & Sendable>(
    _ keyPath: any KeyPath<R, Value> & Sendable, _ direction: Direction
  ) {
    let value = PropertyReader(keyPath)
    let isStoredOrder = IDOrder.isStored(Value.self)
    self.init(
      keyPath, direction, nil, isStoredOrder: isStoredOrder,
      isTotal: isStoredOrder && Value.self == R.ID.self && PropertyName.of(keyPath) == "id",
      value: { value($0) as Value? }, order: { Precedence(of: $0, to: $1) })
  }

  init<Value: Comparable & Sendable>(
    _ keyPath: any KeyPath<R, Value?> & Sendable, _ direction: Direction, _ nils: Nils?
  ) {
    let value = PropertyReader(keyPath)
    self.init(
      keyPath, direction, nils, isStoredOrder: IDOrder.isStored(Value.self), isOptional: true,
      value: { value($0) }, order: { Precedence(of: $0, to: $1) })
  }

  /// The order by the id, where all others leave records equal.
  static var tieBreak: SortTerm {
    let keyPath: any KeyPath<R, R.ID> & Sendable = \R.id
    return SortTerm(
      keyPath, .ascending, nil, isStoredOrder: IDOrder.isStoredAlone(R.ID.self),
      isTotal: true, value: { $0.id as R.ID? },
      order: { IDOrder.precedence(of: $0, to: $1) })
  }

  private init<Value: Sendable>(
    _ property: any PartialKeyPath<R> & Sendable, _ direction: Direction, _ nils: Nils?,
    isStoredOrder: Bool, isOptional: Bool = false, isTotal: Bool = false,
    value: @escaping @Sendable (R) -> Value?,
    order: @escaping @Sendable (Value, Value) -> Precedence
  ) {
    @Sendable func compare(
      _ left: Value?, _ right: Value?, _ direction: Direction, _ nils: Nils
    ) -> Precedence {
      switch (left, right) {
      case (let left?, let right?):
        let precedence = order(left, right)
        return direction == .ascending ? precedence : precedence.reversed
      case (nil, nil): return .same
      case (nil, _): return nils == .first ? .before : .after
      case (_, nil): return nils == .first ? .after : .before
      }
    }
    self.property = property
    self.direction = direction
    self.nils = nils ?? (direction == .ascending ? .first : .last)
    self.isStoredOrder = isStoredOrder
    self.isOptional = isOptional
    self.isTotal = isTotal
    self.compare = { compare(value($0), value($1), $2, $3) }
    key = { TypedSortKey(value: value($0)) }
    keyType = TypedSortKey<Value>.self
    compareKeys = { left, right, direction, nils in
      guard let left = left as? TypedSortKey<Value>, let right = right as? TypedSortKey<Value>
      else { return .same }
      return compare(left.value, right.value, direction, nils)
    }
  }

  /// The property's name, as it is declared.
  ///
  /// - Complexity: It is found by reflection, which takes microseconds.
  public var name: String { isTotal ? "id" : PropertyName.of(property) }

  /// The term by which records come in the opposite order.
  public var reversed: SortTerm {
    var term = self
    term.direction = direction.opposite
    term.nils = nils.opposite
    return term
  }

  /// Where a record comes by this term alone, from another.
  func precedence(of first: R, to second: R) -> Precedence {
    compare(first, second, direction, nils)
  }

  /// Where the record of a key comes by this term alone, from that of another.
  ///
  /// - Parameters:
  ///   - first: A key that ``key`` has given.
  ///   - second: Another key.
  /// - Returns: Where it comes.
  func precedence(ofKey first: any SortKey, to second: any SortKey) -> Precedence {
    compareKeys(first, second, direction, nils)
  }
}
