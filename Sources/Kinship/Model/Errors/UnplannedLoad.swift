/// A load of a single record that a plan could have included.
///
/// A cache with ``Strictness`` reports it:
///
/// ```swift
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store,
///   strictness: .report { load in print(load) })
/// ```
public struct UnplannedLoad: Sendable {
  /// The kind of a load that a plan would have avoided.
  public enum Kind: Hashable, Sendable {
    /// The plan of a recent graph led to a record with the ref, and not on from there.
    case beyondPlan
    /// The plan of a recent graph led to the record, but its limit was reached before.
    case overBudget
    /// The same relationship was followed for one record after another, each by a call of its own.
    case repeated
  }

  /// The kind of load.
  public let kind: Kind
  /// The name of the record type that has the relationship.
  public let type: String
  /// The property that holds the ref.
  public let relationship: String
  /// Whether the relationship was followed against its direction, by an ``Inverse``.
  public let isInverse: Bool
  /// The first record that was loaded in this way; for an inverse, the record that the loaded ones
  /// refer to.
  public let ref: AnyRef
  /// The source location of the load.
  public let caller: CallSite
  /// The number of such loads there so far.
  public internal(set) var times: Int
  /// The plan that would have included the record, as Swift source.
  ///
  /// If no graph led to the record, the plan begins at the record that was read first. Pass it to
  /// ``GraphCache/graph(of:_:)``, or to ``RecordQuery/graphs(_:)`` if a query found that record. An
  /// inverse is written out, as `Inverse<Person, Person>(\.father)`, even if you have a name for
  /// it.
  public let plan: String
}

extension UnplannedLoad: CustomStringConvertible {
  /// The load, the number of times it happened, and the plan that avoids it.
  public var description: String {
    let name = isInverse ? "the inverse of \(type).\(relationship)" : "\(type).\(relationship)"
    let what =
      switch kind {
      case .beyondPlan:
        "\(ref) was loaded by \(name), which the plan of a graph did not follow that far"
      case .overBudget:
        "\(ref) was loaded by \(name), which was beyond the limit of the plan of a graph"
      case .repeated: "\(name) was followed for one record after another, last at \(ref)"
      }
    return "\(caller): \(what) (\(times) times).\nA plan that loads it in advance:\n\(plan)"
  }
}
