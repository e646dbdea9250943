package import KinshipTranslation
package import KinshipTesting

extension PersonModel {
  package static let mapping: Mapping<PersonModel, TestPerson> = Mapping(
    id: \.id, TestPerson.init,
    .map(\.name, \.name),
    .map(\.father, \.father, by: PersonModel.mapping),
    .map(\.mother, \.mother, by: PersonModel.mapping),
    .map(\.children, \.children, by: PersonModel.mapping),
    .map(\.events, \.events, by: EventModel.mapping))
}

extension EventModel {
  package static let mapping: Mapping<EventModel, TestEvent> = Mapping(
    id: \.id, TestEvent.init,
    .map(\.title, \.title),
    .map(\.person, \.person, by: PersonModel.mapping),
    .map(\.place, \.place, by: PlaceModel.mapping))
}

extension PlaceModel {
  package static let mapping: Mapping<PlaceModel, TestPlace> = Mapping(
    id: \.id, TestPlace.init,
    .map(\.name, \.name),
    .map(\.region, \.region, by: PlaceModel.mapping))
}

extension SourceModel {
  package static let mapping: Mapping<SourceModel, TestSource> = Mapping(
    id: \.id, TestSource.init,
    .map(\.title, \.details.title),
    .map(\.author, \.details.author),
    .map(\.year, \.details.year),
    .map(\.quality, \.details.quality),
    .map(\.weight, \.details.weight),
    .map(\.isOriginal, \.details.isOriginal),
    .map(\.isPrinted, \.details.isPrinted),
    .map(\.whole, \.whole, by: SourceModel.mapping))
}

extension CitationModel {
  package static let mapping: Mapping<CitationModel, TestCitation> = Mapping(
    id: \.id, TestCitation.init,
    .map(\.source, \.source, by: SourceModel.mapping),
    .map(\.people, \.people, by: PersonModel.mapping),
    .map(\.page, \.page),
    .map(\.text, \.text),
    .map(\.version, \.version))
}

extension FamilySession {
  /// A store of the session's models.
  package nonisolated func store() throws -> TranslatingStore<FamilySession> {
    try Self.store(of: self)
  }

  /// A store of some contents, in which the second person's model is not a record.
  package static func storeWithAnUnreadablePerson(
    of contents: StoreContents
  ) async throws -> TranslatingStore<FamilySession> {
    let session = FamilySession()
    let store = try session.store()
    try await store.apply(contents.insertions)
    try await session.write { context in
      try context.models(for: [2], by: PersonModel.mapping).first?.name = nil
    }
    return store
  }

  /// A store of a session with such models.
  package static func store<Session: ModelSession>(
    of session: Session
  ) throws -> TranslatingStore<Session> {
    try TranslatingStore(
      session, PersonModel.mapping, EventModel.mapping, PlaceModel.mapping, SourceModel.mapping,
      CitationModel.mapping)
  }
}
