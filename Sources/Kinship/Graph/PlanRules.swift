/// What a plan says, whatever the type of its root.
@usableFromInline
struct PlanRules: Sendable {
  /// How far a relationship is followed.
  struct Forward: Sendable, Equatable {
    let source: any GraphRecord.Type
    let keyPath: any AnyKeyPath & Sendable
    let generations: Int

    static func == (one: Forward, other: Forward) -> Bool {
      one.source == other.source && one.keyPath == other.keyPath
        && one.generations == other.generations
    }
  }

  /// How far relationships are followed against their direction.
  struct Backward: Sendable {
    let edges: @Sendable (GraphSchema) throws(KinshipError) -> [GraphSchema.Edge]
    let generations: Int
  }

  /// How far each relationship is followed, whatever its own rule says.
  var allGenerations = 0
  var forward: [Forward] = []
  var backward: [Backward] = []
  /// The largest number of records.
  var budget = Int.max
  /// Whether what it reaches passes through memory.
  var isPassing = false

  /// Whether it is known to say what another says: what is followed backwards cannot be compared.
  func agrees(with other: PlanRules) -> Bool {
    allGenerations == other.allGenerations && budget == other.budget
      && isPassing == other.isPassing && backward.isEmpty && other.backward.isEmpty
      && forward == other.forward
  }
}
