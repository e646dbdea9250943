import Kinship

extension StoreConformance.Check {
  /// The requirements for applying changes.
  public static let writing: [Self] = [
    Self("insert records of several types that refer to each other") { conformance in
      var contents = StoreConformance.family
      contents.insert([
        TestPerson(id: 4, name: "Victoria", father: 5, children: [5], events: [13]),
        TestPerson(id: 5, name: "Edward", mother: 4),
      ])
      contents.insert([TestEvent(id: 13, title: "Wedding", person: 5, place: 24)])
      contents.insert([TestPlace(id: 24, name: "London", region: 25), TestPlace(id: 25, name: "")])
      contents.insert([TestSource(id: "diary", title: "Diary", whole: "shelf")])
      contents.insert([TestSource(id: "shelf", title: "Shelf", whole: "diary")])
      contents.insert([TestCitation(id: 32, source: "diary", people: [5, 1, 4])])
      try await conformance.verifyChanges(to: contents)
    },
    Self("update records, given whole, by their properties and blindly") { conformance in
      var contents = StoreConformance.family
      contents.people[1]?.name = "Bertie"
      contents.people[1]?.father = 3
      contents.people[1]?.mother = nil
      contents.people[1]?.events = [12, 11, 10]
      contents.people[2]?.children = []
      contents.events[10]?.person = 3
      contents.events[12]?.place = 20
      contents.places[20]?.region = nil
      contents.sources["register"]?.author = nil
      contents.sources["register"]?.year = nil
      contents.sources["register"]?.weight = nil
      contents.sources["archive"]?.isPrinted = true
      contents.sources["archive"]?.isOriginal = false
      contents.citations[30]?.source = "archive"
      contents.citations[31]?.people = [3, 2, 1]
      contents = contents.sealed(after: StoreConformance.family)
      try await conformance.verifyChanges(to: contents)
    },
    Self("choose ids that no record has, if it chooses any") { conformance in
      let store = try await conformance.makeFamily()
      var contents = StoreConformance.family
      for count in [1, 7, 40] {
        let ids: [Int]
        do {
          ids = try await store.reserveIDs(TestPerson.self, count: count)
        } catch KinshipError.misuse(.unsupported) {
          return
        }
        try verify(!ids.isEmpty, "it chooses none")
        for id in ids {
          try verify(contents.people[id] == nil, "\(id) is that of another one")
          contents.insert([TestPerson(id: id, name: "\(id)")])
        }
        // Not all of the ids are used at once.
        let people = ids.dropFirst().compactMap { contents.people[$0] }
        try await store.apply(ChangeSet(inserting: people))
      }
      for id in contents.people.keys.sorted() {
        guard let person = contents.people[id] else { continue }
        if try await store.fetch(TestPerson.self, ids: [id]).isEmpty {
          try await store.apply(ChangeSet(inserting: [person]))
        }
      }
      try await StoreConformance.verify(store, has: contents)
    },
    Self("leave properties alone that are not to be set") { conformance in
      let (store, family) = (try await conformance.makeFamily(), StoreConformance.family)
      guard var renamed = family.people[1], var source = family.sources["register"] else { return }
      // Another writer has changed the record since both were read.
      renamed.father = nil
      renamed.events = []
      let known = renamed
      renamed.name = "Bertie"
      source.title = "Roll"
      try await store.apply(
        ChangeSet(updating: [
          TestPerson.update(from: known, to: renamed, style: .properties)
        ]).merging(
          ChangeSet(updating: [
            TestSource.update(
              from: TestSource(id: "register", title: ""), to: source, style: .blind)
          ])))
      var expected = family
      expected.people[1]?.name = "Bertie"
      expected.sources["register"]?.title = "Roll"
      try await StoreConformance.verify(store, has: expected)
    },
    Self("leave alone what has not changed of records given whole") { conformance in
      let (store, family) = (try await conformance.makeFamily(), StoreConformance.family)
      guard var person = family.people[1], var source = family.sources["register"] else { return }
      // Another writer has changed the record since both were read.
      person.father = nil
      person.events = []
      source.title = "Roll"
      source.year = nil
      let (oldPerson, oldSource) = (person, source)
      person.name = "Bertie"
      source.author = nil
      try await store.apply(
        ChangeSet(updating: [
          TestPerson.update(from: oldPerson, to: person, style: .whole)
        ]).merging(
          ChangeSet(updating: [
            TestSource.update(from: oldSource, to: source, style: .whole)
          ])))
      var expected = family
      expected.people[1]?.name = "Bertie"
      expected.sources["register"]?.author = nil
      try await StoreConformance.verify(store, has: expected)
    },
    Self("delete records, and insert them again") { conformance in
      var contents = StoreConformance.family
      contents.people[1] = nil
      contents.places[20] = nil
      contents.sources["register"] = nil
      contents.citations[31] = nil
      contents = contents.withoutDanglingRefs.sealed(after: StoreConformance.family)
      try await conformance.verifyChanges(to: contents)
      let store = try await conformance.makeStore(contents)
      try await store.apply(contents.changes(to: StoreConformance.family, style: .whole))
      try await StoreConformance.verify(store, has: StoreConformance.family)
      try await store.apply(StoreConformance.family.changes(to: StoreContents(), style: .whole))
      try await StoreConformance.verify(store, has: StoreContents())
    },
    Self("make no changes if there are none") { conformance in
      let store = try await conformance.makeFamily()
      try await store.apply(ChangeSet())
      try await StoreConformance.verify(store, has: StoreConformance.family)
    },
    Self("make 3,000 changes at once") { conformance in
      let before = StoreContents((0..<2_000).map { TestPlace(id: $0, name: "old") })
      var after = StoreContents(
        (1_000..<3_000).map { TestPlace(id: $0, name: "new", region: Ref(3_999 - $0)) })
      after.insert([TestPerson(id: 1, name: "")])
      let store = try await conformance.makeStore(before)
      try await store.apply(before.changes(to: after, style: .properties))
      try await StoreConformance.verify(store, has: after)
    },
  ]

  /// The requirements for refusing changes.
  public static let refusing: [Self] = [
    Self("refuse to insert a record that exists, and then change nothing") { conformance in
      try await conformance.verifyRefusal(
        of: ChangeSet(inserting: [TestPlace(id: 21, name: "Balmoral")]))
      try await conformance.verifyRefusal(
        of: ChangeSet(inserting: [TestSource(id: "archive", title: "")]))
    },
    Self("refuse to change a record that does not exist, and then change nothing") { conformance in
      let (old, new) = (TestPlace(id: 99, name: "A"), TestPlace(id: 99, name: "B"))
      for style in StoreContents.UpdateStyle.allCases {
        try await conformance.verifyRefusal(
          of: ChangeSet(updating: [TestPlace.update(from: old, to: new, style: style)]))
      }
      try await conformance.verifyRefusal(of: ChangeSet(deleting: [old]))
    },
    Self("refuse to change an identity, and then change nothing") { conformance in
      // By a property, of a record that is in memory or not, and by a record of another id.
      guard let old = StoreConformance.family.places[21] else { return }
      for id in [23, 99] {
        let new = TestPlace(id: id, name: old.name)
        let change = PropertyChange<TestPlace>.set(\TestPlace.id, to: id)
        for (old, new, properties) in [
          (nil, nil, [change]), (old, new, [change]), (old, new, nil),
        ] as [(TestPlace?, TestPlace?, [PropertyChange<TestPlace>]?)] {
          try await conformance.verifyRefusal(
            of: ChangeSet(updating: [
              UpdatedRecord(Ref(21), old: old, new: new, properties: properties)
            ]))
        }
      }
    },
    Self("refuse to change another version, and then change nothing") { conformance in
      guard let stored = StoreConformance.family.citations[31] else { return }
      for version in [0, 3, 5] {
        var (old, new) = (stored, stored)
        old.version = version
        new.version = version + 1
        new.text = "A king"
        for style in [StoreContents.UpdateStyle.whole, .properties] {
          try await conformance.verifyRefusal(
            of: ChangeSet(updating: [TestCitation.update(from: old, to: new, style: style)]))
        }
        try await conformance.verifyRefusal(of: ChangeSet(deleting: [old]))
      }
    },
  ]
}

extension StoreConformance {
  /// Verifies that changes from the family to other contents are applied, in each form of updates.
  func verifyChanges(to contents: StoreContents) async throws {
    for style in StoreContents.UpdateStyle.allCases {
      let store = try await makeFamily()
      try await store.apply(Self.family.changes(to: contents, style: style))
      try await Self.verify(store, has: contents)
    }
  }

  /// Verifies that a change is refused, alone and among others of all types.
  func verifyRefusal(of changes: ChangeSet) async throws {
    let store = try await makeFamily()
    try await Self.verify(store, with: Self.family, refuses: changes)
    var others = Self.family
    others.people[1]?.name = "Bertie"
    others.events[11] = nil
    others.people[1]?.events = [10]
    others.places[24] = TestPlace(id: 24, name: "London")
    others.sources["diary"] = TestSource(id: "diary", title: "Diary")
    others.citations[33] = TestCitation(id: 33, source: "diary", people: [2])
    let more = Self.family.changes(to: others, style: .properties)
    try await Self.verify(store, with: Self.family, refuses: changes.merging(more))
    try await Self.verify(store, with: Self.family, refuses: more.merging(changes))
    // The store still works.
    try await store.apply(more)
    try await Self.verify(store, has: others)
  }
}
