import Foundation
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

@testable import Kinship

/// The answer to a query across relationships, among writers.
@Suite(.boundedWaits, .tags(.lawQ3, .lawO1))
struct RelatedObservationTests {
  /// A write of records of two types is shown completely or not yet.
  @Test(arguments: [true, false])
  func `an observed condition on related records shows one version`(hasStore: Bool) throws {
    let clubs = ["a", "b"].map { Club(id: $0, rank: $0 == "a" ? 1 : 0, head: 1, members: []) }
    let member = Member(id: 1, rank: 0, boss: nil, best: 1, club: "a", friends: [], clubs: [])
    let open = RecordQuery<Club>(#Predicate { $0.rank == 1 })
    let query = RecordQuery<Member>(.where(\.club, in: open) && .where(\.best, in: RecordQuery()))
    try Schedule.explore(seeds: 300) { schedule in
      let store = MemoryStore([member])
      store.insert(clubs)
      let cache =
        hasStore
        ? try GraphCache(
          for: Member.self, Club.self, store: store, capacity: 0, executor: schedule.executor)
        : try GraphCache(for: Member.self, Club.self, executor: schedule.executor)
      if !hasStore {
        try await cache.put(member)
        try await cache.put(contentsOf: clubs)
      }
      try await withThrowingTaskGroup { group in
        group.addTask {
          for try await change in cache.observe(query) {
            // There is one open club at each moment, and the member is in it.
            try verifyEqual(change.value.map(\.id), [1], "who is in the open club")
            if change.value.first?.rank == 6 { return }
          }
        }
        group.addTask {
          for turn in 1...6 {
            try await cache.write { tx in
              for (club, rank) in [("a", 1 - turn % 2), ("b", turn % 2)] {
                try tx.update(Ref<Club>(club), \.rank, to: rank)
              }
              try tx.update(Ref<Member>(1)) { member in
                (member.club, member.rank) = (turn % 2 == 0 ? "a" : "b", turn)
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// An observer is notified of the records that its condition needs, and of no others.
  @Test func `an observer of a condition wakes for its records alone`() async throws {
    let cache = try GraphCache(for: Member.self, Club.self)
    try await cache.put(
      Member(id: 1, rank: 0, boss: nil, best: 1, club: "a", friends: [], clubs: []))
    let open = RecordQuery<Club>(#Predicate { $0.rank == 1 })
    let isFilled = Gate()
    let waiting = Task {
      var found: [[Int]] = []
      for try await change in cache.observe(RecordQuery<Member>(.where(\.club, in: open))) {
        found.append(change.value.map(\.id))
        if found.count == 3 { return found }
        isFilled.open()
      }
      return found
    }
    func waitUntilItWaits() async throws {
      try await wait { cache.statistics.waitingObservers >= 2 }
    }
    try await isFilled.wait()
    try await waitUntilItWaits()
    let wakeups = cache.statistics.wakeups
    try await cache.put(Club(id: "b", rank: 0, head: 1, members: []))
    #expect(cache.statistics.wakeups == wakeups)
    try await cache.put(Club(id: "a", rank: 1, head: 1, members: []))
    try await wait { cache.statistics.wakeups != wakeups }
    try await waitUntilItWaits()
    try await cache.put(Club(id: "a", rank: 0, head: 1, members: []))
    #expect(try await waiting.value == [[], [1], []])
    #expect(cache.statistics.observers == 0)
    #expect(await cache.audit() == [])
  }
}
