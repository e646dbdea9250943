import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// The loads that a strict cache reports because a plan would have saved them.
@Suite(.tags(.lawL6))
struct StrictnessTests {
  /// The reported loads, in order.
  final class Reports: Sendable {
    private let loads = Lock<[UnplannedLoad]>([])
    var all: [UnplannedLoad] { loads.withLock { $0 } }
    var strictness: Strictness { .report { load in self.loads.withLock { $0.append(load) } } }
  }

  let reports = Reports()

  func cache(_ store: MemoryStore, _ strictness: Strictness? = nil) throws -> GraphCache {
    try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store,
      strictness: strictness ?? reports.strictness)
  }

  @Test func `a strict cache reports a load beyond a plan once`() async throws {
    let cache = try cache(LearningTests.line(6))
    let graph = try await cache.graph(
      of: Ref<TestPerson>(0), Plan<TestPerson>.following(\.father, generations: 1))
    #expect(reports.all.isEmpty)

    let line: UInt = #line + 1
    func load(_ ref: Ref<TestPerson>) async throws -> TestPerson { try await cache.resolve(ref) }
    let beyond = try #require(graph.horizon.first?.as(TestPerson.self))
    let grandfather = try await load(beyond)
    let report = try #require(reports.all.first)
    #expect(report.kind == .beyondPlan && report.type == "TestPerson")
    #expect(report.relationship == "father" && !report.isInverse && report.times == 1)
    #expect(report.ref == AnyRef(Ref<TestPerson>(2)))
    #expect(report.caller == CallSite(#fileID, line))
    #expect("\(report)".hasPrefix("KinshipTests/StrictnessTests.swift:\(line): TestPerson(2) was"))
    try WrittenPlans.require(report.plan, as: "fartherFather")

    // And on from there.
    let next = try await load(try #require(grandfather.father))
    #expect(reports.all.count == 1)
    #expect(await cache.unplannedLoads.map(\.times) == [2])

    // A read from memory is not reported.
    _ = try await load(beyond)
    #expect(await cache.unplannedLoads.map(\.times) == [2])

    // Another place in the program is reported separately, and so are reads that limit the age.
    _ = try await cache.resolve(next.father)
    _ = try await cache.find(Ref<TestPerson>(5), .within(.seconds(60)))
    #expect(reports.all.map(\.caller.line) == [line, line + 21, line + 22])
    #expect(await cache.unplannedLoads.map(\.times) == [2, 1, 1])
  }

  @Test func `a strict cache suggests a larger limit`() async throws {
    let cache = try cache(LearningTests.line(6))
    let plan = Plan<TestPerson>.following(\.father, generations: 5).limited(to: 2)
    let graph = try await cache.graph(of: Ref<TestPerson>(0), plan)
    _ = try await cache.resolve(try #require(graph.horizon.first?.as(TestPerson.self)))
    #expect(reports.all.map(\.kind) == [.overBudget])
    try WrittenPlans.require(reports.all[0].plan, as: "limited")

    let whole = try await self.cache(LearningTests.line(6), .fail)
      .graph(of: Ref<TestPerson>(0), WrittenPlans.limited)
    #expect(whole[Ref<TestPerson>(2)].node != nil)
  }

  @Test func `a strict cache reports records that are loaded one by one`() async throws {
    let store = LearningTests.line(6)
    store.insert((0..<6).map { TestEvent(id: $0, title: "", person: Ref($0), place: Ref($0)) })
    store.insert((0..<6).map { TestPlace(id: $0, name: "") })
    let cache = try cache(store)
    let events = try await cache.find(RecordQuery<TestEvent>().sorted(by: \.id))
    for (number, event) in events.enumerated() {
      _ = try await cache.resolve(event.place)
      #expect(reports.all.isEmpty == (number < 2))
    }
    #expect(reports.all.map(\.kind) == [.repeated])
    #expect(reports.all[0].relationship == "place" && reports.all[0].times == 3)
    try WrittenPlans.require(reports.all[0].plan, as: "places")
    #expect(await cache.unplannedLoads.map(\.times) == [6])

    // A line of persons: each is the father of the one before.
    let line = try self.cache(LearningTests.line(6))
    var person = try await line.resolve(Ref<TestPerson>(0))
    while let father = try await line.resolve(person.father) { person = father }
    #expect(reports.all.map(\.relationship) == ["place", "father"])
    try WrittenPlans.require(reports.all[1].plan, as: "father")
  }

  @Test func `a strict cache does not report loads of lists`() async throws {
    let cache = try cache(LearningTests.line(60))
    for first in stride(from: 0, to: 50, by: 10) {
      let people = try await cache.resolve((first..<first + 10).map { Ref<TestPerson>($0) })
      _ = try await cache.resolve(people.compactMap(\.father))
    }
    #expect(reports.all.isEmpty)
  }

  @Test func `a strict cache does not report unrelated loads`() async throws {
    let cache = try cache(LearningTests.line(20), .fail)
    for id in stride(from: 0, to: 20, by: 2) { _ = try await cache.resolve(Ref<TestPerson>(id)) }
    for id in 0..<20 { _ = try await cache.graph(of: Ref<TestPerson>(id), .generations(0)) }
    #expect(await cache.unplannedLoads.isEmpty)
  }

  @Test func `a strict cache does not report records known to be missing`() async throws {
    let store = MemoryStore()
    store.insert([TestPerson(id: 0, name: "", father: 1)])
    let cache = try cache(store, .fail)
    #expect(try await cache.find(Ref<TestPerson>(1)) == nil)
    _ = try await cache.graph(of: Ref<TestPerson>(0), .generations(0))
    #expect(try await cache.find(Ref<TestPerson>(1)) == nil)
  }

  @Test func `a strict cache reports loads of referrers`() async throws {
    let cache = try cache(LearningTests.line(6))
    _ = try await cache.graph(of: Ref<TestPerson>(3), .generations(0))
    _ = try await cache.find(Ref<TestPerson>(3).related(Stroll.childrenOfFather))
    #expect(reports.all.map(\.isInverse) == [true])
    try WrittenPlans.require(reports.all[0].plan, as: "children")

    let planned = try self.cache(LearningTests.line(6), .fail)
    _ = try await planned.graph(of: Ref<TestPerson>(3), WrittenPlans.children)
    #expect(try await planned.find(Ref<TestPerson>(3).related(Stroll.childrenOfFather)).count == 1)
  }

  @Test func `a failing strict cache loads nothing beyond the plan`() async throws {
    let store = ScriptedStore(over: LearningTests.line(6))
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store, strictness: .fail)
    _ = try await cache.graph(of: Ref<TestPerson>(0), .generations(0))
    for times in 1...2 {
      let error = await #expect(throws: KinshipError.self) {
        try await cache.resolve(Ref<TestPerson>(1))
      }
      guard case .unplannedLoad(let load)? = error else {
        Issue.record("threw \(String(describing: error))")
        return
      }
      #expect(load.times == times && load.ref == AnyRef(Ref<TestPerson>(1)))
      #expect("\(KinshipError.unplannedLoad(load))".contains("TestPerson.father"))
    }
    #expect(store.calls.count == 1)
    #expect(cache.peek(Ref<TestPerson>(1)) == nil)
  }

  /// Each load that the graph's plan would have saved is reported, and no other, by comparison with
  /// the graph's own data.
  @Test func `a strict cache reports exactly the loads that a plan would save`() async throws {
    try await PlanTrial.checkStrict(seeds: 60)
  }
}
