import Kinship

extension StoreConformance.Check {
  /// The requirements for all operations of a store.
  public static let whole: [Self] = [
    Self("answer truly or throw the cancellation in a cancelled task") { conformance in
      let (store, family) = (try await conformance.makeFamily(), StoreConformance.family)
      try await whenCancelled {
        try await store.fetch(TestPerson.self, ids: [1, 2])
      } verify: {
        try StoreConformance.verifySame(
          $0, [1, 2].compactMap { family.people[$0] }, "what is fetched")
      }
      try await whenCancelled {
        try await store.fetch(RecordQuery<TestPerson>())
      } verify: {
        try StoreConformance.verifySame($0, family.all(TestPerson.self), "what there is")
      }
      try await whenCancelled {
        try await store.referrers(
          to: [2] as [Ref<TestPerson>], by: RecordRelationship<TestPerson>(\.father))
      } verify: {
        try verifyEqual($0.map(\.id), [1], "the children of Ernst")
      }
      var after = family
      after.people[1]?.name = "Bertie"
      after.places[23] = nil
      let changes = family.changes(to: after, style: .whole)
      let wasMade = try await whenCancelled {
        try await store.apply(changes)
      } verify: { _ in
      }
      try await StoreConformance.verify(store, has: wasMade ? after : family)
    },
    Self("show reads whole transactions while others write") { conformance in
      var contents = StoreContents((0..<40).map { TestPlace(id: $0, name: "0") })
      contents.insert([TestPerson(id: 1, name: "")])
      contents.insert((0..<40).map { TestEvent(id: $0, title: "0", person: 1, place: 0) })
      let store = try await conformance.makeStore(contents)
      let start = contents
      try await withThrowingTaskGroup { group in
        group.addTask {
          var before = start
          for round in 1...40 {
            var after = before
            for id in 0..<40 {
              after.places[id]?.name = "\(round)"
              after.events[id]?.place = Ref(round % 40)
            }
            try await store.apply(before.changes(to: after, style: .properties))
            before = after
          }
        }
        for _ in 0..<3 {
          group.addTask {
            for round in 0..<40 {
              let places = try await store.fetch(TestPlace.self, ids: Array(0..<40))
              try verifyEqual(Set(places.map(\.name)).count, 1, "the number of states fetched")
              let all = try await store.fetch(RecordQuery<TestPlace>().sorted(by: \.name))
              try verifyEqual(Set(all.map(\.name)).count, 1, "the number of states queried")
              let found = try await store.referrers(
                to: [Ref<TestPlace>(round % 40)], by: RecordRelationship<TestEvent>(\.place))
              try verify([0, 40].contains(found.count), "\(found.count) of 40 refer to one place")
            }
          }
        }
        try await group.waitForAll()
      }
    },
    Self("do what dictionaries do, over random operations") { conformance in
      try await Property.check(
        seeds: 12, steps: 60, shrinkLimit: 300, generate: StoreTestCommand.random
      ) { seed in
        try await StoreTrial(conformance, seed: seed)
      } apply: { trial, command in
        try await trial.perform(command)
      }
    },
  ]

  /// Runs a closure in a cancelled task, and returns whether it finished.
  @discardableResult
  private static func whenCancelled<Answer: Sendable>(
    _ body: @escaping @Sendable () async throws -> Answer, verify: (Answer) throws -> Void
  ) async throws -> Bool {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await body()
    }
    do {
      try verify(await task.value)
      return true
    } catch is CancellationError {
      return false
    }
  }
}
