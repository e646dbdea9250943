internal import Kinship
package import KinshipTranslation
package import KinshipConformance

package struct PersonTranslator: Translator {
  package init() {}

  package func record(from model: PersonModel) throws -> TestPerson {
    TestPerson(
      id: model.id, name: try required(model.name, "name"), father: try ref(to: model.father),
      mother: try ref(to: model.mother), children: try refs(to: model.children),
      events: try EventTranslator().refs(to: model.events))
  }

  package func update(
    _ model: inout PersonModel, from person: TestPerson, in models: ModelMap
  ) throws {
    model.name = person.name
    model.father = try models.model(for: person.father, by: self)
    model.mother = try models.model(for: person.mother, by: self)
    model.children = try models.models(for: person.children, by: self)
    model.events = try models.models(for: person.events, by: EventTranslator())
  }
}

package struct EventTranslator: Translator {
  package init() {}

  package func record(from model: EventModel) throws -> TestEvent {
    TestEvent(
      id: model.id, title: model.title,
      person: try PersonTranslator().ref(to: required(model.person, "person")),
      place: try PlaceTranslator().ref(to: model.place))
  }

  package func update(
    _ model: inout EventModel, from event: TestEvent, in models: ModelMap
  ) throws {
    model.title = event.title
    model.person = try models.model(for: event.person, by: PersonTranslator())
    model.place = try models.model(for: event.place, by: PlaceTranslator())
  }
}

package struct PlaceTranslator: Translator {
  package init() {}

  package func record(from model: PlaceModel) throws -> TestPlace {
    TestPlace(id: model.id, name: model.name, region: try ref(to: model.region))
  }

  package func update(
    _ model: inout PlaceModel, from place: TestPlace, in models: ModelMap
  ) throws {
    model.name = place.name
    model.region = try models.model(for: place.region, by: self)
  }
}

package struct SourceTranslator: Translator {
  package init() {}

  package func record(from model: SourceModel) throws -> TestSource {
    let details = model.details
    return TestSource(
      id: model.id, title: details.title, author: details.author, year: details.year,
      quality: details.quality, weight: details.weight, isOriginal: details.isOriginal,
      isPrinted: details.isPrinted, whole: try ref(to: model.whole))
  }

  package func update(
    _ model: inout SourceModel, from source: TestSource, in models: ModelMap
  ) throws {
    model.details = SourceValues.Details(
      title: source.title, author: source.author, year: source.year, quality: source.quality,
      weight: source.weight, isOriginal: source.isOriginal, isPrinted: source.isPrinted)
    model.whole = try models.model(for: source.whole, by: self)
  }
}

package struct CitationTranslator: Translator {
  package init() {}

  package func record(from model: CitationModel) throws -> TestCitation {
    TestCitation(
      id: model.id, source: try SourceTranslator().ref(to: required(model.source, "source")),
      people: try PersonTranslator().refs(to: model.people), page: model.page, text: model.text,
      version: model.version)
  }

  package func update(
    _ model: inout CitationModel, from citation: TestCitation, in models: ModelMap
  ) throws {
    model.source = try models.model(for: citation.source, by: SourceTranslator())
    model.people = try models.models(for: citation.people, by: PersonTranslator())
    (model.page, model.text, model.version) = (citation.page, citation.text, citation.version)
  }
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
      try context.models(for: [2], by: PersonTranslator()).first?.name = nil
    }
    return store
  }

  /// A store of a session with such models.
  package static func store<Session: ModelSession>(
    of session: Session
  ) throws -> TranslatingStore<Session> {
    try TranslatingStore(
      session, PersonTranslator(), EventTranslator(), PlaceTranslator(), SourceTranslator(),
      CitationTranslator())
  }
}
