import Kinship
import KinshipTesting
import KinshipTestSupport
import KinshipTranslation
import Testing

/// Omissions are planted in translators one by one, and each is found.
struct TranslatorRoundTripTests {
  @Test func `each property that a translator of class instances leaves out is found`() async throws
  {
    let others: [any Translator] = [
      PersonModel.mapping, EventModel.mapping, PlaceModel.mapping, SourceModel.mapping,
      CitationModel.mapping,
    ]
    var plants = Plants(
      session: FamilySession.init, translators: others, given: Samples<TestPerson>.given)
    try await plants.verify(PersonModel.mapping, Samples.people)
    try await plants.verify(EventModel.mapping, Samples.events)
    try await plants.verify(PlaceModel.mapping, Samples.places)
    try await plants.verify(SourceModel.mapping, Samples.sources)
    try await plants.verify(CitationModel.mapping, Samples.citations)
    #expect(plants.count == 83)
  }

  @Test func `each property that a translator of dictionaries leaves out is found`() async throws {
    let others: [any Translator] = [
      JSONObject.people, JSONObject.events, JSONObject.places, JSONObject.sources,
      JSONObject.citations,
    ]
    var plants = Plants(
      session: JSONSession.init, translators: others, given: Samples<TestPerson>.given)
    try await plants.verify(JSONObject.people, Samples.people)
    try await plants.verify(JSONObject.events, Samples.events)
    try await plants.verify(JSONObject.places, Samples.places)
    try await plants.verify(JSONObject.sources, Samples.sources)
    try await plants.verify(JSONObject.citations, Samples.citations)
    #expect(plants.count == 83)
  }

  @Test func `each property that a translator of an actor's objects leaves out is found`()
    async throws
  {
    var plants = Plants(
      session: LibrarySession.init, translators: [NovelistModel.mapping, NovelModel.mapping],
      given: ChangeSet(inserting: [Novelist(id: 1, name: "C")]).merging(
        ChangeSet(inserting: [Novel(id: 7, title: "")])))
    try await plants.verify(NovelistModel.mapping, Samples.authors)
    try await plants.verify(NovelModel.mapping, Samples.books)
    #expect(plants.count == 31)
  }

  @Test func `two lines in the wrong order are found`() async throws {
    let swapped = Mapping<JSONObject, TestPerson>(
      id: { try $0.value("id") }, TestPerson.init,
      .map(\.name, "fullName"), .map(\.mother, "mother"), .map(\.father, "father"),
      .map(\.children, "children"), .map(\.events, "events"))
    let store = try TranslatingStore(JSONSession(), swapped)
    #expect(try await losses(of: Samples.people.records, in: store) == ["father", "mother"])
  }

  @Test func `a loss names the property with both values, and what to do`() async throws {
    let store = try TranslatingStore(
      JSONSession(),
      Mapping<JSONObject, TestPlace>(
        id: { try $0.value("id") }, { TestPlace(id: $0, name: $1.lowercased()) },
        .map(\.name, "name")))
    await #expect {
      try await StoreConformance.verifyRoundTrip(of: Samples.places.records, in: store)
    } throws: {
      "\($0)".hasSuffix(
        "TestPlace.name was written as \"A\" and read as \"a\". "
          + "TestPlace.region was written as Optional(TestPlace(20)) and read as nil. "
          + "Translate each both ways.")
    }
  }

  @Test(arguments: [
    ([TestPlace(id: 1, name: "A")], ["name", "region"]),
    ([TestPlace(id: 1, name: "A", region: 2), TestPlace(id: 1, name: "B", region: 2)], ["region"]),
    ([TestPlace(id: 1, name: "A", region: 2), TestPlace(id: 2, name: "B")], []),
  ])
  func `samples that cannot show a loss are an error`(
    samples: [TestPlace], missing: [String]
  ) async throws {
    await #expect {
      try await StoreConformance.verifyRoundTrip(of: samples, in: MemoryStore())
    } throws: { error in
      let cause = (error as? StoreConformance.Failure)?.cause
      return (cause as? StoreConformance.IndistinctSamples)?.properties == missing
    }
  }
}

/// The properties that a round trip finds to be lost.
private func losses<R: GraphRecord>(
  of samples: [R], in store: some BackingStore
) async throws -> [String] {
  do {
    try await StoreConformance.verifyRoundTrip(of: samples, in: store)
    return []
  } catch let failure as StoreConformance.Failure {
    guard let lost = failure.cause as? StoreConformance.LostProperties else { throw failure }
    return lost.losses.map(\.name)
  }
}

/// Plants omissions, and verifies that each is found, and nothing else.
private struct Plants<Session: ModelSession> {
  let session: () -> Session
  let translators: [any Translator]
  let given: ChangeSet
  /// How many were planted.
  var count = 0

  mutating func verify<Base: Translator>(
    _ base: Base, _ samples: Samples<Base.Translated>
  ) async throws where Base.Translated: Equatable {
    #expect(try await losses(of: samples, in: base) == [])
    for property in samples.properties {
      for omission in Omission.allCases {
        let isEverBlank = samples.records.contains { property.isEqual(samples.blank, $0) }
        if omission == .clearing && !isEverBlank { continue }
        let forgetful = ForgetfulTranslator(
          base: base, property: property, omission: omission, blank: samples.blank)
        let found = try await losses(of: samples, in: forgetful)
        #expect(found == ["\(property)"], "\(Base.Translated.self).\(property), \(omission)")
        count += 1
      }
    }
  }

  private func losses<T: Translator>(
    of samples: Samples<T.Translated>, in translator: T
  ) async throws -> [String] {
    let session = session()
    try await TranslatingStore(session, translators: translators).apply(given)
    func isOther<Other: Translator>(_ other: Other) -> Bool {
      Other.Translated.self != T.Translated.self
    }
    let store = try TranslatingStore(
      session, translators: translators.filter { isOther($0) } + [translator])
    return try await KinshipTests.losses(of: samples.records, in: store)
  }
}

/// Records of one type that differ in each property, and the record of an empty model object.
private struct Samples<R: GraphRecord & Equatable> {
  let records: [R]
  let blank: R
  let properties: [CopiedProperty<R>]
}

extension Samples where R == TestPerson {
  /// The records that the samples refer to.
  static var given: ChangeSet {
    ChangeSet(inserting: [2, 3, 4].map { TestPerson(id: $0, name: "") })
      .merging(ChangeSet(inserting: [TestEvent(id: 10, title: "", person: 2)]))
      .merging(ChangeSet(inserting: [TestPlace(id: 20, name: "")]))
      .merging(ChangeSet(inserting: ["s", "t", "u"].map { TestSource(id: $0, title: "") }))
  }

  static let people = Samples(
    records: [
      TestPerson(id: 1, name: "A", father: 2, mother: 3, children: [4], events: [10]),
      TestPerson(id: 1, name: "B"),
    ],
    blank: TestPerson(id: 1, name: ""),
    properties: [
      .init("name", \.name), .init("father", \.father), .init("mother", \.mother),
      .init("children", \.children), .init("events", \.events),
    ])
}

extension Samples where R == TestEvent {
  static let events = Samples(
    records: [
      TestEvent(id: 11, title: "A", person: 2, place: 20), TestEvent(id: 11, title: "B", person: 3),
    ],
    blank: TestEvent(id: 11, title: "", person: 4),
    properties: [.init("title", \.title), .init("person", \.person), .init("place", \.place)])
}

extension Samples where R == TestPlace {
  static let places = Samples(
    records: [TestPlace(id: 21, name: "A", region: 20), TestPlace(id: 21, name: "B")],
    blank: TestPlace(id: 21, name: ""),
    properties: [.init("name", \.name), .init("region", \.region)])
}

extension Samples where R == TestSource {
  static let sources = Samples(
    records: [
      TestSource(
        id: "r", title: "A", author: "X", year: 1819, quality: 0.5, weight: 2, isOriginal: true,
        isPrinted: true, whole: "s"),
      TestSource(id: "r", title: "B"),
    ],
    blank: TestSource(id: "r", title: "", quality: 0),
    properties: [
      .init("title", \.title), .init("author", \.author), .init("year", \.year),
      .init("quality", \.quality), .init("weight", \.weight), .init("isOriginal", \.isOriginal),
      .init("isPrinted", \.isPrinted), .init("whole", \.whole),
    ])
}

extension Samples where R == TestCitation {
  static let citations = Samples(
    records: [
      TestCitation(id: 30, source: "s", people: [2, 3], page: 7, text: "A", version: 1),
      TestCitation(id: 30, source: "t", text: "B", version: 2),
    ],
    blank: TestCitation(id: 30, source: "u"),
    properties: [
      .init("source", \.source), .init("people", \.people), .init("page", \.page),
      .init("text", \.text), .init("version", \.version),
    ])
}

extension Samples where R == Novelist {
  static let authors = Samples(
    records: [
      Novelist(
        id: 9, name: "A", sex: .female, home: .init(street: "S", town: "T"),
        office: .init(street: "U", town: "V"), books: [7], rank: 3),
      Novelist(id: 9, name: "B", sex: .male, home: .init(street: "W", town: "X")),
    ],
    blank: Novelist(id: 9, name: "-"),
    properties: [
      .init("name", \.name), .init("sex", \.sex), .init("home.street", \.home.street),
      .init("home.town", \.home.town), .init("office", \.office), .init("books", \.books),
      .init("rank", \.rank),
    ])
}

extension Samples where R == Novel {
  static let books = Samples(
    records: [Novel(id: 8, title: "A", author: 1), Novel(id: 8, title: "B")],
    blank: Novel(id: 8, title: ""),
    properties: [.init("title", \.title), .init("author", \.author)])
}
