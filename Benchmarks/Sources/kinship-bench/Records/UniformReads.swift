import Kinship

/// Reads of persons with equal probability, drawn before the clock starts, with their expected
/// result.
struct UniformReads: Sendable {
  let population: Population<Person>
  let records: [Person]
  let draw: Draw<Person>
  private let expected: Int

  init(_ count: Int, of size: Int) {
    population = Population(count: size)
    let records = population.records
    self.records = records
    draw = .uniform(count, below: size, seed: 3)
    expected = draw.numbers.reduce(0) { $0 &+ records[$1].digest }
  }

  /// So many of them as are read before the clock starts.
  var warmUp: Int { draw.numbers.count / 10 }

  /// The sample of all reads, with a check of the sum of digests.
  func sample(_ elapsed: Duration, _ sum: Int) -> Sample {
    Sample(
      elapsed, operations: draw.numbers.count,
      checks: [Check("digest", sum, expected: expected)])
  }
}
