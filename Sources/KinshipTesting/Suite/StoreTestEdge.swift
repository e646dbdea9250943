import Kinship

/// A relationship by which tests look for referrers.
enum StoreTestEdge: CaseIterable, Sendable {
  case father, mother, children, events, person, place, region, whole, source, people

  /// Verifies that a store finds the referrers of the records with some numbers.
  func verify(
    _ store: any BackingStore, _ contents: StoreContents, _ numbers: [Int]
  ) async throws {
    func check<S: TriedRecord, T: TriedRecord>(
      _ relationship: RecordRelationship<S>, _ target: T.Type
    ) async throws {
      let refs = numbers.map { Ref<T>(.numbered($0)) } + contents.all(T.self).map(\.ref)
      let all = Array(Set(refs))
      for targets in [all] + refs.prefix(3).map({ [$0] }) {
        let wanted = Set(targets)
        let expected = contents.all(S.self).filter {
          !wanted.isDisjoint(with: relationship.refs(from: $0, to: T.self))
        }
        let found = try await store.referrers(to: targets, by: relationship)
        try StoreConformance.verifySame(
          found, expected, "who refers to \(targets) by \(relationship.name)")
      }
    }
    switch self {
    case .father: try await check(RecordRelationship(\TestPerson.father), TestPerson.self)
    case .mother: try await check(RecordRelationship(\TestPerson.mother), TestPerson.self)
    case .children: try await check(RecordRelationship(\TestPerson.children), TestPerson.self)
    case .events: try await check(RecordRelationship(\TestPerson.events), TestEvent.self)
    case .person: try await check(RecordRelationship(\TestEvent.person), TestPerson.self)
    case .place: try await check(RecordRelationship(\TestEvent.place), TestPlace.self)
    case .region: try await check(RecordRelationship(\TestPlace.region), TestPlace.self)
    case .whole: try await check(RecordRelationship(\TestSource.whole), TestSource.self)
    case .source: try await check(RecordRelationship(\TestCitation.source), TestSource.self)
    case .people: try await check(RecordRelationship(\TestCitation.people), TestPerson.self)
    }
  }
}
