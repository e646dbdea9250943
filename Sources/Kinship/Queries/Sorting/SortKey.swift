/// What a record is sorted by in one term of an order, where it is kept without the record.
///
/// It can be coded if the value can: else that throws `KinshipError.notCodable`.
package protocol SortKey: Codable, Sendable {
  /// The value; `nil` if the record has none.
  var sorted: (any Sendable)? { get }

  /// What some bits of the value say of its place in an order.
  ///
  /// - Parameters:
  ///   - depth: How many words of the value come before.
  ///   - isAscending: Whether small values come first.
  ///   - nilsAreFirst: Whether no value comes first.
  /// - Returns: The word; `nil` if there is none so deep.
  func word(depth: Int, isAscending: Bool, nilsAreFirst: Bool) -> SortWord?
}

/// A key of a property's type.
struct TypedSortKey<Value: Sendable>: SortKey {
  let value: Value?

  init(value: Value?) { self.value = value }

  var sorted: (any Sendable)? { value }

  func word(depth: Int, isAscending: Bool, nilsAreFirst: Bool) -> SortWord? {
    if depth == 0 {
      return SortWord(value, isAscending: isAscending, nilsAreFirst: nilsAreFirst)
    }
    guard Value.self == String.self, let value, let text = value as? String else { return nil }
    return SortWord(text, depth: depth, isAscending: isAscending)
  }

  init(from decoder: any Decoder) throws {
    guard let type = Value.self as? any Decodable.Type else { throw Self.notCodable }
    var container = try decoder.unkeyedContainer()
    value = container.isAtEnd ? nil : try container.decode(type) as? Value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    guard let value else { return }
    guard let value = value as? any Encodable else { throw Self.notCodable }
    try container.encode(value)
  }

  private static var notCodable: KinshipError { .notCodable(type: String(describing: Value.self)) }
}
