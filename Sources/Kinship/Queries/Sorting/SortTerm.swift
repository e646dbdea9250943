/// A property to sort records by, with a direction.
public struct SortTerm<R: GraphRecord>: Sendable {
  /// The direction: which values are first.
  public enum Direction: Hashable, Sendable, CaseIterable {
    /// Small values are first.
    case ascending
    /// Large values are first.
    case descending

    var opposite: Direction { self == .ascending ? .descending : .ascending }
  }

  /// The position of records whose property is `nil`.
  public enum Nils: Hashable, Sendable, CaseIterable {
    /// Before all others.
    case first
    /// After all others.
    case last

    var opposite: Nils { self == .first ? .last : .first }
  }

  /// The property.
  public let property: any PartialKeyPath<R> & Sendable
  /// The direction: which values are first.
  public private(set) var direction: Direction
  /// The position of records whose property is `nil`; it matters only for optional properties.
  public private(set) var nils: Nils
  /// Whether a store that keeps the values unchanged sorts them in the same order.
  ///
  /// That is so for integers, floating-point numbers, texts by their bytes, `Date` and `UUID`. Only
  /// the type itself knows the order of other values.
  public let isStoredOrder: Bool
  /// Whether the value may be `nil`.
  package let isOptional: Bool
  /// Whether it is the order by the id, which leaves no two records equal.
  package let isTotal: Bool

  private let compare: @Sendable (R, R, Direction, Nils) -> Precedence
  /// The offset of a value that is compared in place, in code that is specialised for its type: see
  /// `kinship-bench views --only many-lists`.
  private let stored: (offset: Int, type: any OrderedScannedValue.Type)?
  /// Returns the sort key of a record.
  package let key: @Sendable (R) -> any SortKey
  let keyType: any SortKey.Type
  /// Returns words of the sort keys of some records.
  let words: @Sendable ([R], ArraySlice<Int>, SortWord.Form) -> [SortWord]?
  private let compareKeys: @Sendable (any SortKey, any SortKey, Direction, Nils) -> Precedence

  init<Value: Comparable & Sendable>(
    _ keyPath: any KeyPath<R, Value> & Sendable, _ direction: Direction
  ) {
    let value = PropertyReader(keyPath)
    let isStoredOrder = IDOrder.isStored(Value.self)
    self.init(
      keyPath, direction, nil, value.offset, isStoredOrder: isStoredOrder,
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

  /// The order by the id, for records that are equal in all other terms.
  static var tieBreak: SortTerm {
    let keyPath: any KeyPath<R, R.ID> & Sendable = \R.id
    let offset = IDOrder.isStored(R.ID.self) ? MemoryLayout<R>.offset(of: keyPath) : nil
    return SortTerm(
      keyPath, .ascending, nil, offset, isStoredOrder: IDOrder.isStoredAlone(R.ID.self),
      isTotal: true, value: { $0.id as R.ID? },
      order: { IDOrder.precedence(of: $0, to: $1) })
  }

  private init<Value: Sendable>(
    _ property: any PartialKeyPath<R> & Sendable, _ direction: Direction, _ nils: Nils?,
    _ offset: Int? = nil, isStoredOrder: Bool, isOptional: Bool = false, isTotal: Bool = false,
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
    let type = Value.self as? any OrderedScannedValue.Type
    stored = offset.flatMap { offset in type.map { (offset, $0) } }
    key = { TypedSortKey(value: value($0)) }
    keyType = TypedSortKey<Value>.self
    if let (offset, type) = stored {
      words = { records, numbers, form in
        records.withUnsafeBufferPointer { records in
          guard let start = UnsafeRawPointer(records.baseAddress) else { return [] }
          return type.words(of: start + offset, stride: MemoryLayout<R>.stride, numbers, form)
        }
      }
    } else {
      words = { records, numbers, form in
        SortWord.list(numbers) { TypedSortKey(value: value(records[$0])).word(form) }
      }
    }
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

  /// The key by which the record is coded; `nil` if the record's type is not `Codable`, or its
  /// coding cannot be tried with sample values.
  ///
  /// - Complexity: Some records are decoded, which takes microseconds for each property.
  public var codingKey: String? { CodingKeyProbe.key(of: property) }

  /// The term for the opposite order.
  public var reversed: SortTerm {
    var term = self
    term.direction = direction.opposite
    term.nils = nils.opposite
    return term
  }

  /// Returns the position of a record relative to another, by this term alone.
  func precedence(of first: R, to second: R) -> Precedence {
    guard let (offset, type) = stored else { return compare(first, second, direction, nils) }
    let precedence = withUnsafePointer(to: first) { first in
      withUnsafePointer(to: second) { second in
        type.precedence(
          of: UnsafeRawPointer(first) + offset, to: UnsafeRawPointer(second) + offset)
      }
    }
    return direction == .ascending ? precedence : precedence.reversed
  }

  /// Returns the position of the record of a key relative to that of another, by this term alone.
  ///
  /// - Parameters:
  ///   - first: A key that ``key`` has returned.
  ///   - second: Another key.
  /// - Returns: The position.
  func precedence(ofKey first: any SortKey, to second: any SortKey) -> Precedence {
    compareKeys(first, second, direction, nils)
  }
}
