import Kinship

/// Generations of equally many persons, whose parents are any two of the generation before: within
/// a few steps a person's ancestors are everybody, along ever more paths.
struct Village: Sendable {
  let records: [Person]
  /// The youngest.
  let roots: [Ref<Person>]

  init(generations: Int, personsEach: Int) {
    var generator = SplitMix64(seed: 7)
    let ids = Array(0..<generations * personsEach).shuffled(using: &generator)
    var records: [Person] = []
    for (position, id) in ids.enumerated() {
      let firstParent = (position / personsEach + 1) * personsEach
      func parent() -> Ref<Person>? {
        guard firstParent < ids.count else { return nil }
        return Ref(ids[Int.random(in: firstParent..<firstParent + personsEach, using: &generator)])
      }
      records.append(
        Person(
          id: id, profile: Profile(number: id), father: parent(), mother: parent(),
          children: []))
    }
    self.records = records.sorted { $0.id < $1.id }
    roots = ids.prefix(personsEach).map { Ref($0) }
  }
}
