/// The key of an index: a value, or several, the most important first.
@usableFromInline
protocol IndexedKey: Sendable {
  static var partCount: Int { get }
}

/// The sort key of an ordered index.
@usableFromInline
protocol OrderedKey: IndexedKey {
  /// The search for its first values, with their types.
  associatedtype Search

  /// Returns the search for some of the first values.
  static func search(_ parts: ArraySlice<PartSearch>) -> Search

  static func precedence(of left: Self, to right: Self) -> Precedence

  /// Whether all keys that are equal to it have its position.
  var hasOnePosition: Bool { get }

  /// Returns its position relative to the keys that are searched for: `.same` if it may be one of
  /// them.
  func precedence(to search: Search) -> Precedence
}

/// The key of a hash index.
@usableFromInline
protocol HashedKey: IndexedKey, Hashable {
  /// Creates a key from searches for values; `nil` if they are not all such searches.
  init?(_ parts: ArraySlice<PartSearch>)

  /// Whether one of the values is `nil`.
  var hasNil: Bool { get }

  /// The values in words.
  var text: String { get }
}

/// A key of one value.
@usableFromInline
struct SingleKey<Value: Sendable>: IndexedKey {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) { self.value = value }

  @inlinable static var partCount: Int { 1 }
}

extension SingleKey: OrderedKey where Value: IndexedValue {
  @inlinable
  static func precedence(of left: Self, to right: Self) -> Precedence {
    Value.precedence(of: left.value, to: right.value)
  }

  @inlinable var hasOnePosition: Bool { value.hasOnePosition }

  @inlinable
  static func search(_ parts: ArraySlice<PartSearch>) -> ValueSearch<Value> {
    ValueSearch(parts.first)
  }

  @inlinable
  func precedence(to search: ValueSearch<Value>) -> Precedence { search.precedence(of: value) }
}

extension SingleKey: Equatable where Value: Equatable {}
extension SingleKey: Hashable where Value: Hashable {}

extension SingleKey: HashedKey where Value: Hashable {
  @inlinable
  init?(_ parts: ArraySlice<PartSearch>) {
    guard case .equal(let wanted)? = parts.first,
      let value = PartSearch.value(wanted, as: Value.self)
    else { return nil }
    self.value = value
  }

  @usableFromInline var hasNil: Bool {
    (Value.self as? any ErasedOptional.Type)?.isNil(value) ?? false
  }

  @usableFromInline var text: String { Values.text(of: value) }
}

/// A key of several values.
@usableFromInline
struct PairKey<First: IndexedKey, Second: IndexedKey>: IndexedKey {
  @usableFromInline let first: First
  @usableFromInline let second: Second

  @inlinable
  init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

  @inlinable static var partCount: Int { First.partCount + Second.partCount }
}

extension PairKey: OrderedKey where First: OrderedKey, Second: OrderedKey {
  @inlinable
  static func precedence(of left: Self, to right: Self) -> Precedence {
    let precedence = First.precedence(of: left.first, to: right.first)
    return precedence == .same
      ? Second.precedence(of: left.second, to: right.second) : precedence
  }

  @inlinable var hasOnePosition: Bool { first.hasOnePosition && second.hasOnePosition }

  @inlinable
  static func search(_ parts: ArraySlice<PartSearch>) -> (First.Search, Second.Search) {
    (
      First.search(parts.prefix(First.partCount)),
      Second.search(parts.dropFirst(First.partCount))
    )
  }

  @inlinable
  func precedence(to search: (First.Search, Second.Search)) -> Precedence {
    let precedence = first.precedence(to: search.0)
    return precedence == .same ? second.precedence(to: search.1) : precedence
  }
}

extension PairKey: Equatable where First: Equatable, Second: Equatable {}
extension PairKey: Hashable where First: Hashable, Second: Hashable {}

extension PairKey: HashedKey where First: HashedKey, Second: HashedKey {
  @inlinable
  init?(_ parts: ArraySlice<PartSearch>) {
    guard let first = First(parts.prefix(First.partCount)),
      let second = Second(parts.dropFirst(First.partCount))
    else { return nil }
    self.init(first, second)
  }

  @usableFromInline var hasNil: Bool { first.hasNil || second.hasNil }

  @usableFromInline var text: String { "\(first.text), \(second.text)" }
}
