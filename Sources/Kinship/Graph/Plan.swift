/// The relationships to follow from a root, for how many generations, and up to how many records.
///
/// ```swift
/// let everything = Plan<Person>.generations(3)
/// let pedigree = Plan<Person>.following(\.father, \.mother, generations: 10)
///   .following(\.events)
///   .following(\Event.place)
///   .limited(to: 5_000)
/// ```
///
/// A record's generation is its distance from the root in hops. A plan follows a relationship with
/// a depth of *n* from the records of the generations 0 ..< *n*, and one without a depth from every
/// record that it reaches: if such a relationship leads back to its own type, until nothing is left
/// to load. Give it a depth, or limit the plan. If a property is named more than once, its greatest
/// depth counts.
public struct Plan<Root: GraphRecord>: Sendable {
  @usableFromInline private(set) var rules = PlanRules()

  private init() {}

  init(rules: PlanRules) { self.rules = rules }

  /// Returns a plan that follows every relationship of every type.
  ///
  /// - Parameter generations: The number of hops from the root, at least 0: the root alone.
  /// - Returns: The plan.
  public static func generations(_ generations: Int) -> Plan {
    var plan = Plan()
    plan.rules.allGenerations = generations.checked(atLeast: 0, "generations")
    return plan
  }

  /// Returns a plan that follows chosen relationships of the root's type.
  ///
  /// - Parameters:
  ///   - paths: The properties to follow.
  ///   - generations: The number of hops from the root, at least 0; unlimited by default.
  /// - Returns: The plan.
  public static func following<each Value: FollowedValue>(
    _ paths: repeat any KeyPath<Root, each Value> & Sendable, generations: Int = .max
  ) -> Plan {
    Plan().following(repeat each paths, generations: generations)
  }

  /// Returns a plan that follows the inverse of relationships to the root's type: to its referrers.
  ///
  /// Read them in the graph with ``Node/subscript(_:)``.
  ///
  /// - Parameters:
  ///   - inverse: The inverse to follow.
  ///   - generations: The number of hops from the root, at least 0; unlimited by default.
  /// - Returns: The plan.
  public static func following<Source: GraphRecord>(
    _ inverse: Inverse<Root, Source>, generations: Int = .max
  ) -> Plan {
    Plan().following(inverse, generations: generations)
  }

  /// Also follows the inverse of relationships, to a depth: to the referrers of the records that
  /// the plan reaches.
  ///
  /// The referrers of one record are in the order of their ids if these are `Comparable`, otherwise
  /// in the order in which the cache learned of them.
  ///
  /// - Parameters:
  ///   - inverse: The inverse to follow.
  ///   - generations: The distance from the root, in hops, up to which the plan follows it, at
  ///     least 0; by default, from every record that the plan reaches.
  /// - Returns: The wider plan.
  public func following<Target: GraphRecord, Source: GraphRecord>(
    _ inverse: Inverse<Target, Source>, generations: Int = .max
  ) -> Plan {
    var plan = self
    plan.rules.backward.append(
      PlanRules.Backward(
        edges: { schema throws(KinshipError) in try schema.edges(of: inverse) },
        generations: generations.checked(atLeast: 0, "generations")))
    return plan
  }

  /// Also follows relationships of the root's type, to a depth.
  ///
  /// - Parameters:
  ///   - paths: The properties to follow.
  ///   - generations: The distance from the root, in hops, up to which the plan follows them, at
  ///     least 0; by default, from every record that the plan reaches.
  /// - Returns: The wider plan.
  public func following<each Value: FollowedValue>(
    _ paths: repeat any KeyPath<Root, each Value> & Sendable, generations: Int = .max
  ) -> Plan {
    var plan = self
    for path in repeat each paths { plan.add(path, of: Root.self, generations) }
    return plan
  }

  /// Also follows relationships of another type, to a depth.
  ///
  /// - Parameters:
  ///   - paths: The properties to follow, with their type: `\Event.place`.
  ///   - generations: The distance from the root, in hops, up to which the plan follows them, at
  ///     least 0; by default, from every record that the plan reaches.
  /// - Returns: The wider plan.
  public func following<Source: GraphRecord, each Value: FollowedValue>(
    _ paths: repeat any KeyPath<Source, each Value> & Sendable, generations: Int = .max
  ) -> Plan {
    var plan = self
    for path in repeat each paths { plan.add(path, of: Source.self, generations) }
    return plan
  }

  private mutating func add(
    _ path: any AnyKeyPath & Sendable, of source: any GraphRecord.Type, _ generations: Int
  ) {
    rules.forward.append(
      PlanRules.Forward(
        source: source, keyPath: path, generations: generations.checked(atLeast: 0, "generations")))
  }

  /// Limits the number of records: the nearest are included first, the rest stays in the horizon.
  ///
  /// Within a generation, the order is that of the refs. The same plan over the same records gives
  /// the same graph, whatever was cached before. Of several limits, the smallest counts. An
  /// expansion has the limit of its own plan.
  ///
  /// A generation may take further store calls: the cache requests only what can still fit, and a
  /// record that does not exist makes room for another.
  ///
  /// - Parameter records: The largest number of records, the root included: at least 1.
  /// - Returns: The limited plan.
  public func limited(to records: Int) -> Plan {
    var plan = self
    plan.rules.budget = min(rules.budget, records.checked(atLeast: 1, "records"))
    return plan
  }

  /// The plan for a one-off scan: see ``ReadOptions/isPassing``.
  ///
  /// An expanded graph leaves the recency order alone only if all its plans do.
  package var passing: Plan {
    var plan = self
    plan.rules.isPassing = true
    return plan
  }
}
