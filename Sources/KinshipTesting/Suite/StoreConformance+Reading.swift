import Kinship

extension StoreConformance.Check {
  /// The requirements for fetching by ids.
  public static let fetching: [Self] = [
    Self("fetch the records that exist, each once") { conformance in
      let (store, family) = (try await conformance.makeFamily(), StoreConformance.family)
      let people = try await store.fetch(TestPerson.self, ids: [3, 99, 1, -1])
      try StoreConformance.verifySame(
        people, [1, 3].compactMap { family.people[$0] }, "what exists")
      let sources = try await store.fetch(
        TestSource.self, ids: ["register", "", "REGISTER", "register "])
      try StoreConformance.verifySame(
        sources, ["register"].compactMap { family.sources[$0] }, "what exists")
      // Records of several types can have the same number.
      try verifyEqual(
        try await store.fetch(TestEvent.self, ids: [1]), [], "events with a person's id")
    },
    Self("fetch nothing for no ids, and from an empty store") { conformance in
      let store = try await conformance.makeFamily()
      try verifyEqual(try await store.fetch(TestPerson.self, ids: []), [], "nobody")
      let empty = try await conformance.makeStore(StoreContents())
      try verifyEqual(try await empty.fetch(TestSource.self, ids: ["a"]), [], "nothing")
      try await StoreConformance.verify(empty, has: StoreContents())
    },
    Self("fetch what a plan leads to, if anything") { conformance in
      let (store, family) = (try await conformance.makeFamily(), StoreConformance.family)
      let schema = try GraphSchema(TestPerson.self, TestEvent.self, TestPlace.self)
      for plan in [
        Plan<TestPerson>.generations(1), .generations(4), .following(\.father),
        .following(\.events).following(\TestEvent.place).limited(to: 3),
        .following(\.children, \.mother, generations: 3).following(\TestEvent.person),
      ] {
        let plan = try FetchPlan(plan, of: schema)
        let query = RecordQuery<TestPerson>().sorted(by: \.id).limited(to: 2)
        let byIDs = try await store.fetch(TestPerson.self, ids: [99, 1, 3], following: plan)
        let found = try await store.fetch(query, following: plan)
        if let byIDs {
          try StoreConformance.verifySame(
            byIDs.records, [1, 3].compactMap { family.people[$0] }, "what exists")
        }
        if let found {
          try verifyEqual(found.records, try await store.fetch(query), "what a query finds")
        }
        for graph in [byIDs, found].compactMap(\.self) {
          for person in graph.related(TestPerson.self) {
            try verifyEqual(person, family.people[person.id], "a person who is related")
          }
          for event in graph.related(TestEvent.self) {
            try verifyEqual(event, family.events[event.id], "an event that is related")
          }
          for place in graph.related(TestPlace.self) {
            try verifyEqual(place, family.places[place.id], "a place that is related")
          }
        }
      }
    },
    Self("fetch 3,000 records at once") { conformance in
      let places = (0..<3_000).map { TestPlace(id: $0, name: "\($0)") }
      let store = try await conformance.makeStore(StoreContents(places))
      let ids = Array((-10..<3_010).reversed())
      try StoreConformance.verifySame(
        try await store.fetch(TestPlace.self, ids: ids), places, "what exists")
    },
    Self("give records back as they were") { conformance in
      let contents = conformance.edges
      let store = try await conformance.makeStore(contents)
      try await StoreConformance.verify(store, has: contents)
    },
  ]

  /// The requirements for queries.
  public static let querying: [Self] = [
    Self("sort by several properties, in both directions") { conformance in
      let store = try await conformance.makeFamily()
      func titles(_ query: RecordQuery<TestEvent>) async throws -> [Int] {
        try await store.fetch(query).map(\.id)
      }
      let byTitle = RecordQuery<TestEvent>().sorted(by: \.title)
      try verifyEqual(
        try await titles(byTitle.sorted(by: \.id)), [10, 12, 11], "the order by title and id")
      try verifyEqual(
        try await titles(byTitle.sorted(by: \.id, .descending)), [12, 10, 11],
        "the order by title and id from the end")
      try verifyEqual(
        try await titles(RecordQuery().sorted(by: \.title, .descending).sorted(by: \.id)),
        [11, 10, 12],
        "the order by title from the end")
      let sources = try await store.fetch(RecordQuery<TestSource>().sorted(by: \.quality))
      try verifyEqual(sources.map(\.id), ["register", "archive"], "the order by quality")
    },
    Self("take no value as smaller than any") { conformance in
      let sources = [nil, -2, 0, 3].enumerated().map {
        TestSource(id: "\($0)", title: "", year: $1, weight: $1.map(Double.init))
      }
      let store = try await conformance.makeStore(StoreContents(sources))
      let up = try await store.fetch(RecordQuery<TestSource>().sorted(by: \.year))
      try verifyEqual(up.map(\.year), [nil, -2, 0, 3], "the order by year")
      let down = try await store.fetch(RecordQuery<TestSource>().sorted(by: \.weight, .descending))
      try verifyEqual(down.map(\.weight), [3, 0, -2, nil], "the order by weight from the end")
    },
    Self("leave out records at the front, and stop at a limit") { conformance in
      let places = (0..<10).map { TestPlace(id: $0, name: "\(9 - $0)") }
      let store = try await conformance.makeStore(StoreContents(places))
      let query = RecordQuery<TestPlace>().sorted(by: \.name)
      for (query, expected) in [
        (query.limited(to: 3), [9, 8, 7]), (query.skipping(8), [1, 0]), (query.limited(to: 0), []),
        (query.skipping(2).limited(to: 2), [7, 6]), (query.skipping(20), []),
        (query.skipping(9).limited(to: 5), [0]), (query.limited(to: .max), (0..<10).reversed()),
        (query.skipping(.max).limited(to: .max), []),
      ] {
        let most = query.limit.map { ", at most \($0)" } ?? ""
        try verifyEqual(
          try await store.fetch(query).map(\.id), expected,
          "the answer from \(query.offset)\(most)")
      }
      let some = try await store.fetch(RecordQuery<TestPlace>().skipping(3).limited(to: 4))
      try verifyEqual(Set(some.map(\.id)).count, 4, "the number of any four")
    },
    Self("filter, and begin after the values of a record, as far as it supports that") {
      conformance in
      let sources = (0..<40).map { number -> TestSource in
        let (author, year) = (number % 3 == 0 ? nil : "a", number % 5 == 0 ? nil : number)
        return TestSource(
          id: "\(100 + number)", title: "\(number % 7)", author: author, year: year,
          quality: Double(number % 4))
      }
      let store = try await conformance.makeStore(StoreContents(sources))
      // Each filter meets each order. The beginnings and the limits take turns: a thorough run has
      // all twelve pairs of them for each.
      let turns = max(2, min(12, try Effort().operations(12)))
      var turn = 0
      for filter in [RecordFilter<TestSource>.all] + TestSource.filters {
        let byID = RecordQuery(filter).sorted(by: \.id)
        let byYear = RecordQuery(filter).sorted(by: \.year, .descending).sorted(by: \.title)
        let others = byID.unordered.filtered(by: RecordFilter { $0.title != "3" })
        for query in [byID, byYear, others.sorted(by: \.author, nils: .last)] {
          let all = try query.total.answer(from: sources)
          let starts = [nil, all.first, all.dropFirst(5).first, all.last]
          for _ in 0..<turns {
            let rest = query.total.batch(
              after: starts[turn % 4].map { SortPosition(of: $0, in: query.total.order) }, upTo: nil
            )
            let queries = [rest, rest.limited(to: 4), rest.skipping(2).limited(to: 3)]
            try await StoreConformance.verify(store, answers: queries[turn % 3], from: sources)
            turn += 1
          }
        }
      }
    },
  ]

  /// The requirements for finding referrers.
  public static let referring: [Self] = [
    Self("find who refers to a record, by each kind of relationship") { conformance in
      let store = try await conformance.makeFamily()
      for edge in StoreTestEdge.allCases {
        try await edge.verify(
          store, StoreConformance.family, [1, 2, 3, 10, 11, 12, 20, 21, 22, 23])
      }
      let fathered = try await store.referrers(
        to: [2] as [Ref<TestPerson>], by: RecordRelationship<TestPerson>(\.father))
      try verifyEqual(fathered.map(\.id), [1], "the children of Ernst")
      let cited = try await store.referrers(
        to: [Ref<TestSource>("register")], by: RecordRelationship<TestCitation>(\.source))
      try verifyEqual(cited.map(\.id), [30], "who cites the register")
    },
    Self("find a record that refers to several once") { conformance in
      let store = try await conformance.makeFamily()
      let citing = try await store.referrers(
        to: [3, 1, 99] as [Ref<TestPerson>], by: RecordRelationship<TestCitation>(\.people))
      try verifyEqual(citing.map(\.id), [30], "who cites Albert or Louise")
      let none = try await store.referrers(
        to: [] as [Ref<TestPerson>], by: RecordRelationship<TestCitation>(\.people))
      try verifyEqual(none, [], "who cites nobody")
    },
    Self("find who refers to one of 3,000 records") { conformance in
      var contents = StoreContents((0..<3_000).map { TestPlace(id: $0, name: "\($0)") })
      contents.insert([TestPerson(id: 0, name: "")])
      contents.insert(
        (0..<10).map { TestEvent(id: $0, title: "", person: 0, place: Ref<TestPlace>($0 * 300)) })
      let store = try await conformance.makeStore(contents)
      let found = try await store.referrers(
        to: contents.places.keys.map { Ref<TestPlace>($0) },
        by: RecordRelationship<TestEvent>(\.place))
      try StoreConformance.verifySame(found, contents.all(TestEvent.self), "who refers to a place")
    },
  ]
}

extension StoreConformance {
  /// Extreme values of the simple types.
  var edges: StoreContents {
    var contents = StoreContents()
    let texts =
      ["", " ", "'\"`;--\\", "Ægir 👨‍👩‍👧 مرحبا\n\t\r\n", "%_*?[]", "null", "0"]
      + (storesNUL ? ["a\u{0}b"] : [])
    contents.insert(
      texts.map { TestSource(id: $0, title: $0, author: $0, whole: Ref($0)) })
    contents.insert(
      ([0, 1, -1, .max, .min, 1 << 53 + 1] as [Int]).map {
        TestSource(id: "year \($0)", title: "", author: nil, year: $0)
      })
    contents.insert(
      ([0, 0.1, -1.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e300] as [Double]).map {
        TestSource(id: "weight \($0)", title: "", quality: $0, weight: $0, isPrinted: true)
      })
    contents.insert([.max, .min, 0, -1].map { TestPlace(id: $0, name: "", region: Ref($0)) })
    // A record that refers to itself, and many refs that are not in the order of the ids.
    let ids = (0..<100).map { ($0 * 37) % 100 }
    contents.insert(
      ids.map { TestPerson(id: $0, name: "", father: Ref($0), children: ids.map { Ref($0) }) })
    return contents
  }
}
