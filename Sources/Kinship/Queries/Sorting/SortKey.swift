/// The value of one sort term of a record, kept without the record.
///
/// It can be coded if the value can; otherwise coding throws
/// `KinshipError.invalidSchema(.notCodable)`.
package protocol SortKey: Codable, Sendable {
  /// The value; `nil` if the record has none.
  var sorted: (any Sendable)? { get }

  /// Returns some bits of the value that compare like the value in its order; `nil` if there are
  /// none so deep.
  func word(_ form: SortWord.Form) -> SortWord?
}

/// A key of a property's type.
struct TypedSortKey<Value: Sendable>: SortKey {
  let value: Value?

  init(value: Value?) { self.value = value }

  var sorted: (any Sendable)? { value }

  func word(_ form: SortWord.Form) -> SortWord? {
    if form.depth == 0 { return SortWord(value, form) }
    guard Value.self == String.self, let value, let text = value as? String else { return nil }
    return SortWord(text: text, form)
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

  private static var notCodable: KinshipError {
    .invalidSchema(.notCodable(type: String(describing: Value.self)))
  }
}
