import KinshipTesting
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipDiagnostics

/// A report as a text.
struct ReportTests {
  /// A cache whose report has an entry in every part.
  static func cache() async throws -> (GraphCache, lease: GraphCache.Lease, observing: Any) {
    let clock = ManualClock()
    var generator = SplitMix64(seed: 1)
    let family = TestFamily(
      .random(generations: 4, using: &generator), using: &generator)
    let memory = MemoryStore(family.people)
    memory.insert(family.events)
    memory.insert(family.places)
    let store = ScriptedStore(
      over: memory,
      script: .always(
        StoreBehavior(action: { clock.advance(by: .microseconds(1_500)) })))
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store, capacity: 12,
      clock: clock, strictness: .report { _ in }, tracing: .on)
    var changes = cache.observe(RecordQuery<TestPerson>().sorted(by: \.name).limited(to: 2))
      .makeAsyncIterator()
    _ = try await changes.next()
    for person in family.people.prefix(8) {
      if let father = try await cache.resolve(person.ref).father {
        _ = try await cache.resolve(father)
      }
    }
    for _ in 0..<10 {
      clock.advance(by: .seconds(1))
      _ = try await cache.graph(of: family.people[0].ref, Plan.generations(1))
      _ = try await cache.find(family.people[2].ref)
    }
    let lease = cache.lease([family.people[1].ref], named: "home")
    try await cache.write { try $0.delete(family.events[0].ref) }
    return (cache, lease, changes)
  }

  @Test func `a report contains every part of the cache's state`() async throws {
    let (cache, lease, observing) = try await Self.cache()
    let report = await cache.report()
    #expect(report.reads.count > 10 && report.reads.last?.time == report.elapsed)
    let text = "\(report)"
    for part in [
      "Kinship cache, 10.0 s after it was made", "Held: ", "TestPerson", "Reads: ", "over time",
      "Records that left: ", "evicted for the capacity: ", "Work\n", "fetch", "What took longest",
      "Loads that a plan would have saved", "TestPerson.father was followed", ".following(",
      "Observers: 1", "a query, sorted by name; at most 2", "Leases: 1",
      "KinshipTests/ReportTests.swift", "home",
    ] {
      #expect(text.contains(part), "“\(part)” is not in\n\(text)")
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.last != " " })
    withExtendedLifetime((lease, observing)) {}
  }

  @Test func `the report computes a hit rate for each interval`() async throws {
    let empty = await (try GraphCache(for: TestNode<Int>.self)).report()
    var generator = SplitMix64(seed: 2)
    for _ in 0..<50 {
      var (time, hits, misses) = (Duration.zero, 0, 0)
      let reads = (0..<Int.random(in: 1..<80, using: &generator)).map { _ in
        time += .seconds(Int.random(in: 1..<5, using: &generator))
        hits += Int.random(in: 0..<3, using: &generator)
        misses += Int.random(in: 0..<3, using: &generator)
        return CacheReport.Reads(time: time, hits: hits, misses: misses)
      }
      let count = Int.random(in: 1..<40, using: &generator)
      let rates = empty.with(reads).hitRates(atMost: count)
      #expect(rates.count <= count)
      #expect(rates.first?.start == .zero && rates.last?.end == time)
      #expect(zip(rates, rates.dropFirst()).allSatisfy { $0.end == $1.start })
      for rate in rates {
        let before = reads.last { $0.time <= rate.start }
        let after = reads.last { $0.time <= rate.end }
        let hits = (after?.hits ?? 0) - (before?.hits ?? 0)
        let all = hits + (after?.misses ?? 0) - (before?.misses ?? 0)
        #expect(rate.share == (all == 0 ? nil : Double(hits) / Double(all)))
      }
    }
  }

  @Test(arguments: [
    (Duration.zero, "0 ns"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1_000), "1.00 µs"),
    (.nanoseconds(1_239), "1.23 µs"), (.microseconds(12), "12.0 µs"),
    (.microseconds(999), "999 µs"), (.nanoseconds(999_999), "999 µs"),
    (.milliseconds(1_005), "1.00 s"), (.milliseconds(59_999), "59.9 s"),
    (.seconds(60), "1 min 0 s"), (.seconds(3_599), "59 min 59 s"), (.seconds(3_600), "1 h 0 min"),
    (.seconds(-5), "0 ns"),
  ])
  func `a duration is written with three digits`(duration: Duration, text: String) {
    #expect(ReportText.duration(duration) == text)
  }

  @Test func `numbers are written with digit groups`() {
    let numbers = [0, 7, 999, 1_000, 12_345, 1_234_567, -1_000, Int.min]
    #expect(
      numbers.map { ReportText.number($0) } == [
        "0", "7", "999", "1,000", "12,345", "1,234,567", "-1,000", "-9,223,372,036,854,775,808",
      ])
    #expect(ReportText.limit(.max) == "no limit")
    #expect(
      [0, 0.5, 0.999, 1].map { ReportText.percent($0) } == ["0 %", "50 %", "99.9 %", "100 %"])
  }

  @Test func `a long table is cut off`() {
    let table = ReportTable(leading: 1, ["name", "number"], Array(0..<1_000)) {
      ["row", ReportText.number($0)]
    }
    #expect(table.rows.count == 26 && table.more == 975)
    #expect(table.lines.first == "  name  number")
    #expect(table.lines[1] == "  row        0" && table.lines.last == "  and 975 more")
  }
}

extension CacheReport {
  /// The same report with other reads.
  fileprivate func with(_ reads: [Reads]) -> CacheReport {
    CacheReport(
      elapsed: elapsed, isTraced: isTraced, capacity: capacity, costLimit: costLimit,
      statistics: statistics, reads: reads, work: work, longest: longest,
      unplannedLoads: unplannedLoads, observers: observers, leases: leases)
  }
}
