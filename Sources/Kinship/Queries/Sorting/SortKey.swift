/// What a record is sorted by in one term of an order, where it is kept without the record.
///
/// It can be coded if the value can: else that throws `KinshipError.notCodable`.
protocol SortKey: Codable, Sendable {
  /// The value; `nil` if the record has none.
  var sorted: (any Sendable)? { get }
}

/// A key of a property's type.
struct TypedSortKey<Value: Sendable>: SortKey {
  let value: Value?

  init(value: Value?) { self.value = value }

  var sorted: (any Sendable)? { value }

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
