import Foundation
import Kinship

/// New dates of birth for persons drawn at random, in batches that are written at once.
struct Edits: Sendable {
  struct Edit: Sendable {
    let ref: Ref<Person>
    let date: Date
  }

  let batches: [[Edit]]
  /// The sum of the dates of a population after all batches.
  let expectedSum: Int
  /// The number of persons in the batches; a person counts once for each batch.
  let changedCount: Int

  init(_ population: Population<Person>, batches: Int, each size: Int, seed: UInt64) {
    let draw = Draw<Person>.uniform(
      batches * size, below: population.records.count, seed: seed)
    let edits = draw.refs.enumerated().map { index, ref in
      Edit(ref: ref, date: Date(timeIntervalSinceReferenceDate: Double(index)))
    }
    self.batches = edits.batches(of: size)
    let dates = Dictionary(edits.map { ($0.ref.id, $0.date) }) { $1 }
    expectedSum = population.records.reduce(0) { $0 &+ Self.seconds(dates[$1.id] ?? $1.birth) }
    changedCount = self.batches.reduce(0) { $0 + Set($1.map(\.ref)).count }
  }

  var count: Int { batches.reduce(0) { $0 + $1.count } }

  /// A sum that differs if a person has a wrong date.
  static func sum(_ persons: some Sequence<Person>) -> Int {
    persons.reduce(0) { $0 &+ seconds($1.birth) }
  }

  private static func seconds(_ date: Date) -> Int { Int(date.timeIntervalSinceReferenceDate) }
}

extension GraphCache {
  /// The current records of a population in the cache.
  func current(_ population: Population<Person>) -> [Person] {
    records(for: population.records.map(\.ref)).compactMap(\.self)
  }
}
