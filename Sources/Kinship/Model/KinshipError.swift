/// What can go wrong in a cache: each case names the type, the id and the cause.
public enum KinshipError: Error, Sendable {
  /// Two record types of one schema have the same name, or one type is listed twice.
  case duplicateType(name: String, String, String)
  /// A relationship leads to a type that is not in the schema.
  case unknownTarget(type: String, relationship: String, target: String)
  /// A property is listed twice among the relationships of a type.
  case duplicateRelationship(type: String, relationship: String)
  /// A record type is not in the cache's schema.
  case unknownType(String)
  /// A plan follows a property that is not among the relationships of its type.
  case unknownRelationship(type: String, property: String)
  /// A record does not exist.
  case missing(AnyRef)
  /// An update would have given a record another identity.
  case identityChanged(from: AnyRef, to: AnyRef)
  /// A graph cannot grow from a ref that it neither holds nor refers to.
  case unrelated(AnyRef)
  /// The backing store failed to fetch records; `ids` are the ids of the failed request.
  case fetchFailed(type: String, ids: [AnyRef], cause: any Error)
  /// The backing store answered with a record that was not asked for, or with one record twice.
  case unexpectedRecord(AnyRef)
}

extension KinshipError: CustomStringConvertible {
  /// What went wrong, in a sentence.
  public var description: String {
    switch self {
    case .duplicateType(let name, let first, let second):
      first == second
        ? "The record type \(first) is listed twice in the schema."
        : "The record types \(first) and \(second) have the same name, “\(name)”."
    case .unknownTarget(let type, let relationship, let target):
      "\(type).\(relationship) leads to \(target), which is not in the schema."
    case .duplicateRelationship(let type, let relationship):
      "\(type).\(relationship) is listed twice among the relationships of \(type)."
    case .unknownType(let type):
      "The record type \(type) is not in the schema."
    case .unknownRelationship(let type, let property):
      "\(property) is not among the relationships of \(type)."
    case .missing(let ref):
      "\(ref) does not exist."
    case .identityChanged(let old, let new):
      "An update must not change the identity of \(old), to \(new)."
    case .unrelated(let ref):
      "The graph neither holds \(ref) nor refers to it."
    case .fetchFailed(let type, let ids, let cause):
      "Fetching \(Self.list(ids, of: type)) failed: \(cause)"
    case .unexpectedRecord(let ref):
      "The backing store answered with \(ref), which was not asked for, or came twice."
    }
  }

  private static func list(_ ids: [AnyRef], of type: String) -> String {
    let shown = ids.prefix(3).map { "\($0.id)" }.joined(separator: ", ")
    let more = ids.count > 3 ? " and \(ids.count - 3) more" : ""
    return "\(type) \(shown)\(more)"
  }
}
