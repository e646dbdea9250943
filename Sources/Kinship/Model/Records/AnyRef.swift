/// A typed identity whose type is known only at run time.
public struct AnyRef: Hashable, Sendable {
  /// The record type.
  public let type: any GraphRecord.Type
  private let key: ErasedID

  /// Erases the type of a ref.
  public init<R: GraphRecord>(_ ref: Ref<R>) {
    type = R.self
    key = ErasedID(ref.id)
  }

  /// The name of the record type.
  public var typeName: String { type.recordName }

  /// The id of the record.
  public var id: any Hashable & Sendable { key.id }

  /// Returns the ref with its type.
  ///
  /// - Parameter type: The record type that is expected.
  /// - Returns: The ref, or `nil` if it names a record of another type.
  public func `as`<R: GraphRecord>(_ type: R.Type) -> Ref<R>? {
    guard self.type == type, let id = key.id as? R.ID else { return nil }
    return Ref(id)
  }

  /// Returns whether two refs name the same type and id.
  public static func == (lhs: AnyRef, rhs: AnyRef) -> Bool {
    lhs.type == rhs.type && lhs.key == rhs.key
  }

  /// Hashes the type and the id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(key)
  }
}

extension AnyRef: CustomStringConvertible {
  /// The record type's name and the id, such as `Person(42)`.
  public var description: String { "\(typeName)(\(id))" }
}

extension AnyRef {
  /// The ref of a record whose type is known only at run time.
  init(to record: any GraphRecord) {
    func ref<R: GraphRecord>(_ record: R) -> AnyRef { AnyRef(record.ref) }
    self = ref(record)
  }
}
