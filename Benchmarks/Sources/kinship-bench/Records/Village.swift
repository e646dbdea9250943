import Kinship

/// Generations of equally many persons.
///
/// The parents of a person are any two of the generation before, so that after a few generations
/// everybody is an ancestor, along many paths.
struct Village: Sendable {
  let records: [Person]
  /// The persons of the youngest generation.
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
