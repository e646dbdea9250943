import Kinship
import KinshipTestSupport

@testable import KinshipTrials

/// One of several clients of a cache, which verifies each answer by the versions that existed
/// meanwhile.
struct CacheClient: Sendable {
  let cache: GraphCache
  let versions: Versions
  let executor: any TaskExecutor
  private var leases: [GraphCache.Lease] = []

  init(cache: GraphCache, versions: Versions, executor: any TaskExecutor) {
    self.cache = cache
    self.versions = versions
    self.executor = executor
  }

  mutating func perform(_ operation: ClientCommand.Operation) async throws {
    let work = work(of: operation)
    switch operation {
    case .findCancelled(_, let turns), .graphCancelled(_, _, let turns):
      let task = Task(executorPreference: executor) { try await work() }
      for _ in 0..<turns { await Task.yield() }
      task.cancel()
      do { try await task.value } catch is CancellationError {}
    case .lease(let numbers): leases.append(cache.lease(numbers.map { Author<Int>.ref($0) }))
    case .endLease: _ = leases.popLast()
    default: try await work()
    }
  }

  private func work(
    of operation: ClientCommand.Operation
  ) -> @Sendable () async throws -> Void {
    let (cache, versions) = (cache, versions)
    return switch operation {
    case .find(let numbers), .findCancelled(let numbers, _):
      { [self] in try await find(numbers) { try await cache.find($0) } }
    case .refresh(let numbers):
      { [self] in try await find(numbers) { try await cache.refresh($0) } }
    case .refreshGraph(let number, let generations):
      {
        [self] in try await graph(of: number, generations) { try await cache.refresh($0, $1) }
      }
    case .graph(let number, let generations), .graphCancelled(let number, let generations, _):
      {
        [self] in try await graph(of: number, generations) { try await cache.graph(of: $0, $1) }
      }
    case .partialGraph(let number, let generations):
      { [self] in try await partialGraph(of: number, generations) }
    case .peek(let number): { [self] in try peek(number) }
    case .commit(let number, let value):
      {
        let entry = Entry(value: value, one: (number + 1) % 6)
        try await cache.perform { try versions.commit([Key(.author, number): entry], to: $0) }
      }
    case .delete(let number):
      { try await cache.perform { try versions.commit([Key(.author, number): nil], to: $0) } }
    case .evict(let number): { await cache.evict(Author<Int>.ref(number)) }
    case .invalidate(let number): { await cache.invalidate(Author<Int>.ref(number)) }
    case .trim(let count): { await cache.trim(to: count) }
    case .removeAll: { await cache.removeAll() }
    case .lease, .endLease: {}
    }
  }

  /// The records found existed at one moment between the call and its return.
  private func find(
    _ numbers: [Int], _ find: ([Ref<Author<Int>>]) async throws -> [Author<Int>?]
  ) async throws {
    let first = versions.count - 1
    do {
      let found = try await find(numbers.map { Author<Int>.ref($0) })
      try verify("what was found of \(numbers), \(found.map { $0?.value })", since: first) {
        world in
        found
          == numbers.map { number in
            world[Key(.author, number)].map { Author(number, $0) }
          }
      }
    } catch KinshipError.fetchFailed(_, _, let cause)
      where cause is ScriptedFailure || cause is CancellationError
    {
    } catch KinshipError.fetchFailed(_, let ids, let cause as UnreadableRecord) {
      try verifyEqual(ids, [cause.ref], "what could not be read")
      try KinshipTestSupport.verify(
        numbers.contains { AnyRef(Author<Int>.ref($0)) == cause.ref },
        "who asked for \(numbers) has failed with \(cause.ref)")
    }
  }

  /// A complete graph is correct, and an incomplete one names what it lacks.
  private func partialGraph(of number: Int, _ generations: Int) async throws {
    let first = versions.count - 1
    let root = Key(.author, number)
    let plan = ReferencePlan(generations: generations)
    do {
      let partial = try await cache.find(
        Author<Int>.ref(number).graph(plan.plan(of: Author<Int>.self)), .partial)
      let horizon = Set(partial.horizon)
      for (ref, error) in partial.failures {
        guard case .fetchFailed = error else { throw error }
        try KinshipTestSupport.verify(
          horizon.contains(ref) && !partial.refs.contains(ref), "\(ref) failed and is loaded")
      }
      if !partial.failures.isEmpty { return }
      let graph = try HeldGraph<Int>(partial)
      try verify("the graph of \(root)", since: first) { world in
        ReferenceGraph.search([.init(root: root, plan: plan)], in: world).map(graph.agrees) ?? false
      }
    } catch KinshipError.fetchFailed(_, _, let cause)
      where cause is ScriptedFailure || cause is CancellationError
    {
    } catch KinshipError.fetchFailed(_, _, let cause as UnreadableRecord) {
      try verifyEqual(cause.ref, AnyRef(Author<Int>.ref(number)), "what failed beside the root")
    } catch KinshipError.missing {
      try verify("that \(root) is missing", since: first) { $0[root] == nil }
    }
  }

  private func graph(
    of number: Int, _ generations: Int,
    _ load: (Ref<Author<Int>>, Plan<Author<Int>>) async throws -> Graph<Author<Int>>
  ) async throws {
    let first = versions.count - 1
    let root = Key(.author, number)
    let plan = ReferencePlan(generations: generations)
    do {
      let graph = try await HeldGraph<Int>(
        load(Author<Int>.ref(number), plan.plan(of: Author<Int>.self)))
      try verify("the graph of \(root)", since: first) { world in
        ReferenceGraph.search([.init(root: root, plan: plan)], in: world).map(graph.agrees) ?? false
      }
    } catch KinshipError.fetchFailed(_, _, let cause)
      where cause is ScriptedFailure || cause is UnreadableRecord || cause is CancellationError
    {
    } catch KinshipError.missing {
      try verify("that \(root) is missing", since: first) { $0[root] == nil }
    }
  }

  /// Memory has the latest committed value.
  private func peek(_ number: Int) throws {
    guard let record = cache.peek(Author<Int>.ref(number)) else { return }
    let key = Key(.author, number)
    try verify("\(key) by peek", since: versions.count - 1) { world in
      world[key].map { Author(number, $0) } == record
    }
  }

  private func verify(
    _ subject: String, since first: Int, _ matches: ([Key: Entry]) -> Bool
  ) throws {
    let worlds = versions.all[first...]
    try KinshipTestSupport.verify(
      worlds.contains(where: matches), "\(subject) is that of none of \(worlds.count) versions")
  }
}
