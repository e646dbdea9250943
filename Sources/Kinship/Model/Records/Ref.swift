/// A typed identity: which record of type `R`, without holding the record.
///
/// Records refer to each other by refs and never hold other records, so that a record stays a
/// plain value of bounded size and every identity has one truth, in the cache.
///
/// A ref encodes as its bare id, so that a `Codable` record reads like the row it came from.
public struct Ref<R: GraphRecord>: Hashable, Sendable {
  /// The id of the record that this ref names.
  public let id: R.ID

  /// Creates a ref to the record with the given id, whether or not such a record exists.
  ///
  /// - Parameter id: The id of the record.
  @inlinable
  public init(_ id: R.ID) {
    self.id = id
  }
}

extension Ref: CustomStringConvertible {
  /// The record type's name and the id, such as `Person(42)`.
  public var description: String { "\(R.recordName)(\(id))" }
}

extension Ref: Encodable where R.ID: Encodable {
  /// Encodes the bare id.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Whatever encoding the id throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension Ref: Decodable where R.ID: Decodable {
  /// Decodes a ref from a bare id.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: Whatever decoding the id throws.
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(R.ID.self)
  }
}

extension Ref: ExpressibleByIntegerLiteral where R.ID: ExpressibleByIntegerLiteral {
  /// Creates a ref from an integer literal, where ids are integers.
  ///
  /// - Parameter value: The id.
  @inlinable
  public init(integerLiteral value: R.ID.IntegerLiteralType) {
    id = R.ID(integerLiteral: value)
  }
}

extension Ref: ExpressibleByUnicodeScalarLiteral where R.ID: ExpressibleByStringLiteral {
  /// Creates a ref from a string literal of one scalar, where ids are strings.
  ///
  /// - Parameter value: The id.
  @inlinable
  public init(unicodeScalarLiteral value: R.ID.UnicodeScalarLiteralType) {
    id = R.ID(unicodeScalarLiteral: value)
  }
}

extension Ref: ExpressibleByExtendedGraphemeClusterLiteral
where R.ID: ExpressibleByStringLiteral {
  /// Creates a ref from a string literal of one character, where ids are strings.
  ///
  /// - Parameter value: The id.
  @inlinable
  public init(extendedGraphemeClusterLiteral value: R.ID.ExtendedGraphemeClusterLiteralType) {
    id = R.ID(extendedGraphemeClusterLiteral: value)
  }
}

extension Ref: ExpressibleByStringLiteral where R.ID: ExpressibleByStringLiteral {
  /// Creates a ref from a string literal, where ids are strings.
  ///
  /// - Parameter value: The id.
  @inlinable
  public init(stringLiteral value: R.ID.StringLiteralType) {
    id = R.ID(stringLiteral: value)
  }
}

extension Ref {
  /// Throws why the properties of the record could not be set.
  @usableFromInline
  func check(_ result: UpdateResult<R.ID>) throws(KinshipError) {
    switch result {
    case .updated: return
    case .absent: throw .missing(AnyRef(self))
    case .identityChanged(let id):
      throw .identityChanged(from: AnyRef(self), to: AnyRef(Ref(id)))
    }
  }
}

extension Ref: IndexedValue where R.ID: IndexedValue {
  /// Where the id stands.
  ///
  /// - Parameters:
  ///   - left: A ref.
  ///   - right: Another ref.
  /// - Returns: Where the first stands.
  @inlinable
  public static func precedence(of left: Ref, to right: Ref) -> Precedence {
    R.ID.precedence(of: left.id, to: right.id)
  }

  /// What the id says.
  @inlinable public var isCanonical: Bool { id.isCanonical }
}
