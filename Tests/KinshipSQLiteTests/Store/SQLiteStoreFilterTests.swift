#if SQLite
  import Foundation
  import Kinship
  import KinshipTesting
  import KinshipTestSupport
  import KinshipTestTraits
  import KinshipTrials
  import Testing

  @testable import KinshipSQLite

  /// SQL means the same as the filter, or is not used.
  @Suite(.dedicatedThreads)
  struct SQLiteStoreFilterTests {
    private static let schema = """
      CREATE TABLE Sample (id INTEGER PRIMARY KEY, small INTEGER, wide INTEGER, byte INTEGER,
        unsigned INTEGER, perhaps INTEGER, real REAL, perhapsReal REAL, text TEXT,
        perhapsText TEXT COLLATE NOCASE, flag INTEGER, perhapsFlag INTEGER, date REAL, uuid TEXT,
        kind TEXT, partner INTEGER, perhapsPartner, friends TEXT, owner TEXT,
        perhapsOwner TEXT, tags TEXT, counts TEXT);
      CREATE INDEX SampleByText ON Sample(text);
      """

    @Test func `a statement leaves out no matching record`() async throws {
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Sample>("Sample"),
        configuration: SQLiteConfiguration(setup: Self.schema))
      var before: [Sample] = []
      try await PredicateTrial.check(seeds: 15) { trial in
        try await trial.run { samples in
          try await store.apply(ChangeSet(deleting: before))
          try await store.apply(ChangeSet(inserting: samples))
          before = samples
          return store
        }
      }
    }

    @Test func `pages are found by their keys`() async throws {
      try await PagingTrial.check(seeds: 15) { samples in
        let store = try SQLiteStore(
          at: ":memory:", SQLiteTable<Sample>("Sample"),
          configuration: SQLiteConfiguration(setup: Self.schema))
        try await store.apply(ChangeSet(inserting: samples))
        return try GraphCache(for: Sample.self, Sample.Owner.self, store: store)
      }
    }

    @Test func `a database aggregates as an array does`() async throws {
      let schema = try GraphSchema(types: [Sample.self, Sample.Owner.self])
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Sample>("Sample"),
        configuration: SQLiteConfiguration(setup: Self.schema))
      var before: [Sample] = []
      try await QuestionTrial.check(seeds: 2) { trial in
        try await trial.run { samples in
          try await store.apply(ChangeSet(deleting: before))
          try await store.apply(ChangeSet(inserting: samples))
          before = samples
          return GraphCache(schema: schema, store: store)
        }
      }
    }

    struct Person: GraphRecord, Codable, Equatable {
      let id: Int
      var name: String
      var age: Int?
      var height: Double
      var isKnown: Bool
      var father: Ref<Person>?
      var born: Date

      static let relationships: Relationships<Person> = [.toOne(\.father)]
    }

    static let people: [Person] = (1...40).map { (number: Int) -> Person in
      var person = Person(
        id: number, name: "P\(number)", height: Double(number) / 2, isKnown: number % 2 == 0,
        born: Date(timeIntervalSinceReferenceDate: Double(number)))
      if number == 40 { person.name = "\u{212A}" }
      if number % 4 != 0 { person.age = number }
      if number > 10 { person.father = Ref(number / 10) }
      return person
    }

    static func makePeople() async throws -> SQLiteStore {
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Person>("person"),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, height REAL,
              isKnown INTEGER, father INTEGER, born REAL)
            """))
      try await store.apply(ChangeSet(inserting: people))
      return store
    }

    /// A filter, and the number of rows read for it.
    static let filters: [(RecordFilter<Person>, Int)] = {
      let father = Ref<Person>(2)
      let texts = ["P1", "P2"]
      let date = Date(timeIntervalSinceReferenceDate: 3)
      var filters: [(RecordFilter<Person>, Int)] = []
      func add(_ count: Int, _ predicate: Predicate<Person>) {
        filters.append((RecordFilter(predicate), count))
      }
      add(5, #Predicate { $0.id > 35 })
      add(2, #Predicate { 35 >= $0.id && $0.id > 33 })
      add(10, #Predicate { $0.age == nil })
      add(30, #Predicate { $0.age != nil })
      add(12, #Predicate { ($0.age ?? 0) < 3 })
      add(28, #Predicate { !(($0.age ?? 0) < 3) })
      add(39, #Predicate { $0.age != 1 })
      add(4, #Predicate { $0.isKnown && $0.height < 5 })
      add(10, #Predicate { $0.father == father })
      add(3, #Predicate { (3..<6).contains($0.id) })
      add(2, #Predicate { [7, 8, 900].contains($0.id) })
      add(1, #Predicate { $0.name == "P7" })
      add(39, #Predicate { $0.name != "P7" })
      add(2, #Predicate { texts.contains($0.name) })
      // The Kelvin sign equals K, and sorts after all ASCII letters, so its row is read.
      add(1, #Predicate { $0.name == "K" })
      add(3, #Predicate { $0.name < "P11" })
      add(1, #Predicate { $0.name == "\u{212A}" })
      // Half of the filter cannot be translated.
      add(5, #Predicate { $0.id > 35 && $0.id % 2 == 0 })
      add(40, #Predicate { $0.id > 35 || $0.id % 2 == 0 })
      // The Kelvin sign is not ASCII, so its row is read.
      add(2, #Predicate { $0.id > 35 && $0.name.contains("9") })
      add(8, #Predicate { $0.id > 35 || $0.name.contains("9") })
      add(12, #Predicate { $0.name.starts(with: "P3") })
      add(40, #Predicate { $0.born == date })
      // The Kelvin sign is not ASCII, so its row is read.
      filters.append((.where(\.name, contains: "p1", ignoring: .case), 12))
      filters.append((.where(\.name, contains: "p1"), 1))
      filters.append((.where(\.name, hasPrefix: "P3", ignoring: .diacritics), 12))
      filters.append((.where(\.name, hasPrefix: "3"), 1))
      filters.append((.where(\.name, contains: "k", ignoring: .case), 1))
      filters.append((.where(\.name, contains: "é", ignoring: .case), 1))
      filters.append((!.where(\.name, contains: "P1"), 40))
      filters.append((RecordFilter { $0.id > 35 }, 40))
      filters.append((!RecordFilter(#Predicate { $0.id > 35 }), 35))
      return filters
    }()

    @Test(arguments: filters.indices)
    func `only rows that may match the filter are read`(index: Int) async throws {
      let (filter, count) = Self.filters[index]
      let store = try await Self.makePeople()
      let before = store.statistics.rowsRead
      let found = try await store.fetch(RecordQuery(filter).sorted(by: \.id))
      #expect(store.statistics.rowsRead - before == count)
      #expect(found == Self.people.filter { (try? filter.matches($0)) == true })
    }

    @Test func `an explanation shows the statements without values`() async throws {
      let cache = try GraphCache(for: Person.self, store: try await Self.makePeople())
      let secret = "P7' OR 1"
      let explanation = try await cache.explain(
        RecordQuery<Person>(#Predicate { $0.name == secret || $0.id > 38 }).sorted(by: \.id))
      #expect(explanation.recordsFound == 2 && explanation.recordsLookedAt == 2)
      #expect(explanation.source == .store && explanation.isFilteredByStore)
      #expect(explanation.statements.count == 1)
      #expect(explanation.statements.allSatisfy { $0.contains("WHERE") && !$0.contains("P7") })
    }

    /// SQLite applies the limit if it evaluates the whole filter.
    ///
    /// Otherwise Kinship does, and reads rows in batches.
    @Test func `limits are exact in SQL and in memory`() async throws {
      let store = try await Self.makePeople()
      let whole = RecordQuery<Person>(#Predicate { $0.id > 20 }).sorted(by: \.id)
      let inPart = whole.filtered(by: #Predicate { $0.id % 2 == 0 })
      for (query, rows) in [(whole, 5), (inPart, 16)] {
        let page = query.skipping(2).limited(to: 5)
        let before = store.statistics.rowsRead
        #expect(try await store.fetch(page) == page.answer(from: Self.people))
        #expect(store.statistics.rowsRead - before == rows)
        #expect(try await store.count(page) == 5)
      }
    }

    /// Values are bound: they are not SQL, and are compared as text.
    @Test func `values are never statements`() async throws {
      let store = try await Self.makePeople()
      for text in ["' OR 1=1 --", "\"; DROP TABLE person; --", "?1", "P1'", "\0", "%"] {
        #expect(
          try await store.fetch(RecordQuery<Person>(#Predicate { $0.name == text })) == [])
      }
      #expect(try await store.count(RecordQuery<Person>()) == 40)
    }

    /// An ASCII text that equals one that is not ASCII, both ways round.
    @Test(arguments: [("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}")])
    func `equal texts are found in any encoding`(ascii: String, other: String) async throws {
      #expect(ascii == other)
      let names = [ascii, other, "x" + ascii, "x" + other, "é", "e\u{301}", "e"]
      let people = names.enumerated().map { number, name in
        Person(id: number, name: name, height: 1, isKnown: true, born: .now)
      }
      let store = try await Self.makePeople()
      try await store.apply(ChangeSet(deleting: Self.people))
      try await store.apply(ChangeSet(inserting: people))
      for name in names {
        for filter in [
          RecordFilter<Person>(#Predicate { $0.name == name }),
          RecordFilter(#Predicate { $0.name != name }),
          RecordFilter(#Predicate { [name].contains($0.name) }),
          RecordFilter(#Predicate { $0.name < name }),
        ] {
          let found = try await store.fetch(RecordQuery(filter).sorted(by: \.id))
          #expect(try found.map(\.id) == filter.matching(in: people).map(\.id))
        }
      }
    }

    /// There are no others: the statements rely on that.
    @Test func `only three characters beyond ASCII equal an ASCII character`() {
      let ascii = Set((0..<0x80).compactMap { Unicode.Scalar($0).map { String($0) } })
      let equals = (UInt32(0x80)..<0x3_0000).compactMap { Unicode.Scalar($0) }
        .filter { ascii.contains(String($0)) }
      #expect(equals == ["\u{37E}", "\u{1FEF}", "\u{212A}"])
    }
  }
#endif
