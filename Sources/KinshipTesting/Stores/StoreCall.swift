public import Kinship

/// A call of a ``ScriptedStore``, as its script receives it and ``ScriptedStore/calls`` returns it.
public struct StoreCall: Sendable, CustomStringConvertible {
  /// How a call ended.
  public enum Outcome: Sendable {
    /// The call returned, or changed, this number of records.
    case answered(Int)
    /// The call threw an error.
    case threw(any Error)
  }

  /// The kind of a call.
  public enum Kind: Hashable, Sendable {
    /// A fetch by ids.
    case fetch
    /// A query for records or refs.
    case query
    /// A query for a number, or for numbers by value.
    case count
    /// A search for the records that refer to others.
    case referrers
    /// A change set.
    case apply
    /// A reservation of ids.
    case reserveIDs
  }

  /// The kind of the call.
  public let kind: Kind
  /// The number of calls before this one.
  public let number: Int
  /// The type of the requested records; for a change set, the first of its types.
  public let type: any GraphRecord.Type
  /// The refs that the call names: the requested, changed or referred-to records, in order.
  public let refs: [AnyRef]
  /// How the call ended; `nil` while it is in flight.
  public internal(set) var outcome: Outcome?
  /// Whether the task was cancelled before the call ended.
  public internal(set) var isCancelled = false

  /// The call and its outcome on one line, such as `0: Person(1) Person(2) -> 2 records`.
  public var description: String {
    let names = refs.map(\.description).joined(separator: " ")
    let ending =
      switch outcome {
      case nil: "in flight"
      case .answered(let count): "\(count) records"
      case .threw(let error): "\(error)"
      }
    return "\(number): \(names) -> \(ending)\(isCancelled ? ", cancelled" : "")"
  }

  var recordsFetched: Int {
    if kind != .apply, case .answered(let count) = outcome { count } else { 0 }
  }
}
