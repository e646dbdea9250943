public import Kinship

/// One call of a ``ScriptedStore``, for its script and its log.
public struct StoreCall: Sendable, CustomStringConvertible {
  /// How a call ended.
  public enum Outcome: Sendable {
    /// It answered with so many records.
    case answered(Int)
    /// It threw.
    case threw(any Error)
  }

  /// The kind of a call.
  public enum Kind: Hashable, Sendable {
    /// A fetch by ids.
    case fetch
    /// A query.
    case query
    /// A commit of changes.
    case apply
    /// A search for referrers.
    case referrers
  }

  /// The kind of the call.
  public let kind: Kind

  /// How many calls came before this one.
  public let number: Int

  /// The type of the requested records; of changes, the first type.
  public let type: any GraphRecord.Type

  /// The requested or changed refs, in order; the targets of a search for referrers; none for a
  /// query.
  public let refs: [AnyRef]

  /// The outcome of the call, or `nil` while it runs.
  public internal(set) var outcome: Outcome?

  /// Whether the task was cancelled before the call ended.
  public internal(set) var isCancelled = false

  /// The call and its outcome on one line, such as `0: Person(1) Person(2) -> 2 records`.
  public var description: String {
    let asked = refs.map(\.description).joined(separator: " ")
    let ending =
      switch outcome {
      case nil: "in flight"
      case .answered(let count): "\(count) records"
      case .threw(let error): "\(error)"
      }
    return "\(number): \(asked) -> \(ending)\(isCancelled ? ", cancelled" : "")"
  }
}
