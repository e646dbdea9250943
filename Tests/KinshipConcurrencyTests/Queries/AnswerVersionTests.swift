import Foundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Laws Q1 and Q2 among writers: an answer is the result of filter and order at one version.
@Suite(.dedicatedThreads, .tags(.lawQ1, .lawQ2))
struct AnswerVersionTests {
  private typealias Node = TestNode<Int>

  /// A store that remembers its contents after each commit.
  private final class Chronicle: ForwardingStore {
    let base: any BackingStore
    private let memory: MemoryStore
    private let versions = Lock<[[Node]]>([])

    init(_ nodes: [Node]) {
      memory = MemoryStore(nodes)
      base = memory
      versions.withLock { $0 = [contents] }
    }

    private var contents: [Node] { AnswerVersionTests.ids.compactMap { memory[Ref<Node>($0)] } }

    /// The number of the last version.
    var last: Int { versions.withLock { $0.count - 1 } }

    func apply(_ changes: ChangeSet) async throws {
      try await base.apply(changes)
      versions.withLock { $0.append(contents) }
    }

    func versions(_ range: ClosedRange<Int>) -> ArraySlice<[Node]> {
      versions.withLock { $0[max(0, range.lowerBound)...range.upperBound] }
    }
  }

  private enum Step: Command {
    case put(id: Int, value: Int)
    case update(id: Int, value: Int)
    case delete(id: Int)
    case ask(least: Int, limit: Int?)
    case pages(size: Int, isBackwards: Bool)
    case results(window: Int)
    case evict(id: Int)
    case invalidate(id: Int)
    case removeAll
    case rest

    static func random(using generator: inout SplitMix64) -> Step {
      // The records from `firstOfTheSteady` on are never written.
      let id = Int.random(in: 0..<firstOfTheSteady, using: &generator)
      let value = Int.random(in: 0..<100, using: &generator)
      return switch Int.random(in: 0..<40, using: &generator) {
      case 0..<5: .put(id: id, value: value)
      case 5..<12: .update(id: id, value: value)
      case 12..<15: .delete(id: id)
      case 15..<26:
        .ask(least: value / 2, limit: Bool.random(using: &generator) ? nil : 1 + value % 5)
      case 26..<29: .pages(size: 1 + value % 5, isBackwards: Bool.random(using: &generator))
      case 29: .results(window: 1 + value % 5)
      case 30..<33: .evict(id: id)
      case 33..<36: .invalidate(id: id)
      case 36: .removeAll
      default: .rest
      }
    }
  }

  private static let firstOfTheSteady = 8
  private static let ids = 0..<16
  private static let steady = Array(firstOfTheSteady..<ids.upperBound)
  private static let byValue = RecordQuery<Node>().sorted(by: \.value).sorted(by: \.id)

  private struct World: Sendable {
    let store: Chronicle
    let cache: GraphCache

    init(_ schedule: Schedule, capacity: Int) throws {
      store = Chronicle(ids.map { Node(id: $0, value: $0 * 6) })
      let script = StoreScript { call, generator in
        let pause = StoreBehavior.Pause.yields(Int.random(in: 0..<30, using: &generator))
        return StoreBehavior(
          reading: Bool.random(using: &generator) ? .beforePause : .afterPause, pause: pause)
      }
      cache = try GraphCache(
        for: Node.self, store: ScriptedStore(over: store, script: script, seed: schedule.seed),
        capacity: capacity, executor: schedule.executor)
    }

    func apply(_ step: Step) async throws {
      switch step {
      case .put(let id, let value):
        try await cache.write { tx in try tx.put(Node(id: id, value: value)) }
      case .update(let id, let value):
        do {
          try await cache.write { tx in try tx.update(Ref<Node>(id), \.value, to: value) }
        } catch KinshipError.missing {} catch KinshipError.conflict {}
      case .delete(let id):
        do {
          try await cache.write { tx in try tx.delete(Ref<Node>(id)) }
        } catch KinshipError.missing {} catch KinshipError.conflict {}
      case .ask(let least, let limit):
        var query = RecordQuery<Node>(#Predicate { $0.value >= least })
          .sorted(by: \.value).sorted(by: \.id)
        if let limit { query = query.limited(to: limit) }
        // Memory follows the store by a commit at most.
        let first = store.last - 1
        let answer = try await cache.find(query)
        let isOfOneVersion = store.versions(first...store.last).contains { version in
          query.arranged(version.filter { $0.value >= least }) == answer
        }
        try verify(isOfOneVersion, "\(answer.map { [$0.id, $0.value] }) is of no version")
      case .pages(let size, let isBackwards):
        var found: [Node] = []
        var page =
          isBackwards
          ? try await cache.page(byValue, size: size, before: nil)
          : try await cache.page(byValue, size: size)
        while true {
          found = isBackwards ? page.records + found : found + page.records
          guard page.hasMore else { break }
          page =
            isBackwards
            ? try await cache.page(byValue, size: size, before: page.start)
            : try await cache.page(byValue, size: size, after: page.end)
        }
        try verifySteady(found, "pages")
      case .results(let window):
        let results = try await cache.results(byValue, windowSize: window)
        var found: [Node] = []
        for try await node in results { found.append(node) }
        try verifySteady(found, "results")
      case .evict(let id): await cache.evict(Ref<Node>(id))
      case .invalidate(let id): await cache.invalidate(Ref<Node>(id))
      case .removeAll: await cache.removeAll()
      case .rest: break
      }
    }

    private func verifySteady(_ found: [Node], _ what: String) throws {
      let ids = found.map(\.id).filter { steady.contains($0) }
      try verifyEqual(ids, steady, "the records in \(what) that nobody has written")
    }
  }

  @Test(arguments: [Int.max, 4])
  func `an answer shows one version and pages lose no record`(capacity: Int) async throws {
    try await Property.check(
      seeds: 400, steps: 40, generate: { Step.random(using: &$0) }
    ) { steps, seed async throws in
      try Schedule.run(seed: seed, limit: 1_000_000) { schedule in
        let world = try World(schedule, capacity: capacity)
        try await schedule.apply(steps, delayedUpTo: 60) {
          if case .rest = $0 { true } else { false }
        } apply: {
          try await world.apply($0)
        } verify: {
          try verifyEqual(await world.cache.audit(), [], "the audit")
        }
      }
    }
  }
}
