import Kinship

/// The persons and families that a deletion concerns, to tell them by more than their refs.
struct DeletionRecords {
  private var persons: [Ref<Person>: Person] = [:]
  private var families: [Ref<Family>: Family] = [:]

  init(_ deletion: Deletion, in cache: GraphCache) async throws {
    let refs = deletion.deleted + deletion.losses.map(\.record) + deletion.denials
    for case let person? in try await cache.find(refs.compactMap { $0.as(Person.self) }) {
      persons[person.ref] = person
    }
    for case let family? in try await cache.find(refs.compactMap { $0.as(Family.self) }) {
      families[family.ref] = family
    }
  }

  func person(_ ref: AnyRef) -> Person? { ref.as(Person.self).flatMap { persons[$0] } }

  func family(_ ref: AnyRef) -> Family? { ref.as(Family.self).flatMap { families[$0] } }

  func label(_ ref: AnyRef) -> String {
    person(ref).map(ChangeText.label) ?? family(ref).map(ChangeText.label) ?? ref.description
  }
}
