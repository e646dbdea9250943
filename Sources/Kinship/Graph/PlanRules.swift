/// The rules of a plan, independent of the type of its root.
@usableFromInline
struct PlanRules: Sendable {
  /// The depth to which a relationship is followed.
  struct Forward: Sendable, Equatable {
    let source: any GraphRecord.Type
    let keyPath: any AnyKeyPath & Sendable
    let generations: Int

    static func == (one: Forward, other: Forward) -> Bool {
      one.source == other.source && one.keyPath == other.keyPath
        && one.generations == other.generations
    }
  }

  /// The depth to which relationships are followed against their direction.
  struct Backward: Sendable {
    let edges: @Sendable (GraphSchema) throws(KinshipError) -> [GraphSchema.Edge]
    let generations: Int
  }

  /// The depth to which every relationship is followed, regardless of its own rule.
  var allGenerations = 0
  var forward: [Forward] = []
  var backward: [Backward] = []
  /// The largest number of records.
  var budget = Int.max
  /// Whether the plan is marked `passing`: its records leave the recency order alone.
  var isPassing = false

  /// Returns whether both plans certainly have the same rules; inverses cannot be compared.
  func agrees(with other: PlanRules) -> Bool {
    allGenerations == other.allGenerations && budget == other.budget
      && isPassing == other.isPassing && backward.isEmpty && other.backward.isEmpty
      && forward == other.forward
  }
}
