/// A typed identity: names a record of type `R` without holding it.
///
/// Records refer to each other by refs and never hold other records. So a record stays a plain
/// value of bounded size, and each identity has one current value, in the cache.
///
/// A ref encodes as its id alone, so that a `Codable` record reads like the row it is from.
public struct Ref<R: GraphRecord>: Hashable, Sendable {
  /// The id of the record that this ref names.
  public let id: R.ID

  /// Creates a ref to the record with the given id, whether or not such a record exists.
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
  /// Encodes the id alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension Ref: Decodable where R.ID: Decodable {
  /// Decodes a ref from the id alone.
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(R.ID.self)
  }
}

extension Ref: CompactLeaf where R.ID: CompactLeaf {
  package func write(to writer: CompactWriter) { id.write(to: writer) }

  package static func read(from reader: CompactReader, at token: Int) throws -> Ref<R> {
    Ref(try R.ID.read(from: reader, at: token))
  }
}

extension Ref: ExpressibleByIntegerLiteral where R.ID: ExpressibleByIntegerLiteral {
  /// Creates a ref from an integer literal, if ids are integers.
  ///
  /// - Parameter value: The id.
  @inlinable
  public init(integerLiteral value: R.ID.IntegerLiteralType) {
    id = R.ID(integerLiteral: value)
  }
}

extension Ref: ExpressibleByUnicodeScalarLiteral where R.ID: ExpressibleByStringLiteral {
  /// Creates a ref from a string literal of one scalar, if ids are strings.
  ///
  /// - Parameter value: The id.
  @inlinable
  public init(unicodeScalarLiteral value: R.ID.UnicodeScalarLiteralType) {
    id = R.ID(unicodeScalarLiteral: value)
  }
}

extension Ref: ExpressibleByExtendedGraphemeClusterLiteral
where R.ID: ExpressibleByStringLiteral {
  /// Creates a ref from a string literal of one character, if ids are strings.
  ///
  /// - Parameter value: The id.
  @inlinable
  public init(extendedGraphemeClusterLiteral value: R.ID.ExtendedGraphemeClusterLiteralType) {
    id = R.ID(extendedGraphemeClusterLiteral: value)
  }
}

extension Ref: ExpressibleByStringLiteral where R.ID: ExpressibleByStringLiteral {
  /// Creates a ref from a string literal, if ids are strings.
  ///
  /// - Parameter value: The id.
  @inlinable
  public init(stringLiteral value: R.ID.StringLiteralType) {
    id = R.ID(stringLiteral: value)
  }
}

extension Ref {
  /// Throws the reason why the properties of the record could not be set.
  @usableFromInline
  func check(_ result: UpdateResult<R.ID>) throws(KinshipError) {
    switch result {
    case .updated: return
    case .absent: throw .missing(AnyRef(self))
    case .identityChanged(let id):
      throw .misuse(.identityChanged(from: AnyRef(self), to: AnyRef(Ref(id))))
    }
  }
}

extension Ref: IndexedValue where R.ID: IndexedValue {
  /// Compares two refs by their ids.
  @inlinable
  public static func precedence(of left: Ref, to right: Ref) -> Precedence {
    R.ID.precedence(of: left.id, to: right.id)
  }

  /// Whether the id has one position, and is equal to itself.
  @inlinable public var hasOnePosition: Bool { id == id && id.hasOnePosition }
}
