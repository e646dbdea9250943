/// A ref to a record of one of two types.
///
/// ```swift
/// struct Account: GraphRecord, Codable {
///   let id: Int
///   var owner: OneOf<Person, Company>?
///
///   static let relationships: Relationships<Account> = [.toOneOf(\.owner)]
/// }
/// ```
///
/// ```swift
/// switch account.owner {
/// case .first(let person): print(try await cache.resolve(person).name)
/// case .second(let company): print(try await cache.resolve(company).motto)
/// case nil: print("nobody")
/// }
/// ```
///
/// For more types than two, or to give them names, see ``RefChoice``.
public enum OneOf<First: GraphRecord, Second: GraphRecord>: RefChoice {
  /// A ref to a record of the first type.
  case first(Ref<First>)
  /// A ref to a record of the second type.
  case second(Ref<Second>)

  /// The two types.
  public static var recordTypes: [any GraphRecord.Type] { [First.self, Second.self] }

  /// A ref to a record of the first type.
  public init(_ ref: Ref<First>) { self = .first(ref) }

  /// A ref to a record of the second type.
  public init(_ ref: Ref<Second>) { self = .second(ref) }

  /// The ref, if it is of one of the types.
  ///
  /// - Parameter ref: The ref, of any type.
  public init?(_ ref: AnyRef) {
    if let ref = ref.as(First.self) {
      self = .first(ref)
    } else if let ref = ref.as(Second.self) {
      self = .second(ref)
    } else {
      return nil
    }
  }

  /// The ref of either type.
  public var ref: AnyRef {
    switch self {
    case .first(let ref): AnyRef(ref)
    case .second(let ref): AnyRef(ref)
    }
  }
}

extension OneOf: CustomStringConvertible {
  /// The record type's name and the id, such as `Person(42)`.
  public var description: String { ref.description }
}

extension OneOf: Encodable where First.ID: Encodable, Second.ID: Encodable {}

extension OneOf: Decodable where First.ID: Decodable, Second.ID: Decodable {}
