/// A record that had to be loaded by itself, though a plan would have brought it along.
///
/// It is what a cache with ``Strictness`` tells:
///
/// ```swift
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store,
///   strictness: .report { load in print(load) })
/// ```
public struct UnplannedLoad: Sendable {
  /// What is wrong with a load.
  public enum Kind: Hashable, Sendable {
    /// The plan of a recent graph led to a record with the ref, and not on from there.
    case beyondPlan
    /// The plan of a recent graph led to the record, but its limit was reached before.
    case overBudget
    /// The same relationship was followed for one record after another, each by a call of its own.
    case repeated
  }

  /// What is wrong with it.
  public let kind: Kind
  /// The name of the record type that has the relationship.
  public let type: String
  /// The property that holds the ref.
  public let relationship: String
  /// Whether the relationship was followed against its direction, by an ``Inverse``.
  public let isInverse: Bool
  /// What was loaded first in this way; where the relationship was followed against its direction,
  /// to whom the records refer.
  public let ref: AnyRef
  /// Where the program has loaded it.
  public let caller: CallSite
  /// How often it has happened there so far.
  public internal(set) var times: Int
  /// The plan that would have brought the record along, as Swift source.
  public let plan: String
}

extension UnplannedLoad: CustomStringConvertible {
  /// What happened, how often, and the plan that avoids it.
  public var description: String {
    let name = isInverse ? "the inverse of \(type).\(relationship)" : "\(type).\(relationship)"
    let what =
      switch kind {
      case .beyondPlan: "\(ref) was loaded by \(name), which a graph's plan did not follow so far"
      case .overBudget: "\(ref) was loaded by \(name), which was beyond the limit of a graph's plan"
      case .repeated: "\(name) was followed for one record after another, last at \(ref)"
      }
    return "\(caller): \(what) (\(times) times).\nA plan brings it along:\n\(plan)"
  }
}
