import Dispatch
import Foundation
import KinshipTesting
import KinshipTestTraits
import Testing

@testable import Kinship

/// A record whose place in a list code of its own decides, which a test can stop.
private struct Parcel: GraphRecord {
  /// Decides once whether the observer's task lists a record.
  final class Decision: Sendable {
    let hasBegun = Gate()
    let mayEnd = DispatchSemaphore(value: 0)
    let result: Bool
    let isUsed = Lock(false)

    init(_ result: Bool) { self.result = result }

    func begins() -> Bool {
      isUsed.withLock { isUsed in
        defer { isUsed = true }
        return !isUsed
      }
    }
  }

  @TaskLocal static var decision: Decision?

  let id: Int
  var weight: Int

  var isListed: Bool {
    guard let decision = Self.decision, decision.begins() else { return true }
    decision.hasBegun.open()
    decision.mayEnd.wait()
    return decision.result
  }
}

/// Writes while the observer of a query applies earlier ones.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawO1))
struct ApplyingTests {
  private typealias List = Changes<ResultList<Parcel>, ListDiff<Parcel>>.Iterator

  private let cache: GraphCache
  private let heavy = RecordQuery<Parcel>(#Predicate { $0.weight > 10 && $0.isListed })

  init() async throws { cache = try GraphCache(for: Parcel.self) }

  /// Continues a list, and writes while it decides about a record.
  private func weights(
    _ list: inout List, deciding result: Bool, _ write: @escaping @Sendable () async throws -> Void
  ) async throws -> [Int]? {
    let decision = Parcel.Decision(result)
    async let written: Void = {
      defer { decision.mayEnd.signal() }
      try await decision.hasBegun.wait()
      try await write()
    }()
    let change = try await Parcel.$decision.withValue(decision) { try await list.next() }
    try await written
    return change?.value.map { $0.weight }
  }

  @Test func `a record that stops matching while the list adds it does not stay`() async throws {
    var list = cache.observe(heavy).makeAsyncIterator()
    #expect(try await list.next()?.value.isEmpty == true)
    try await cache.put(Parcel(id: 1, weight: 20))
    var weights = try await weights(&list, deciding: true) { [cache] in
      try await cache.put(Parcel(id: 1, weight: 5))
    }
    if weights == [20] { weights = try await list.next()?.value.map { $0.weight } }
    #expect(weights == [])
  }

  @Test func `a record that the list has just dropped is not added as it was`() async throws {
    try await cache.put(Parcel(id: 1, weight: 20))
    var list = cache.observe(heavy).makeAsyncIterator()
    #expect(try await list.next()?.value.map { $0.weight } == [20])
    try await cache.put(Parcel(id: 1, weight: 21))
    let weights = try await weights(&list, deciding: false) { [cache] in
      try await cache.put(Parcel(id: 1, weight: 22))
    }
    #expect(weights == [])
    try await cache.put(Parcel(id: 1, weight: 5))
    try await cache.put(Parcel(id: 2, weight: 30))
    #expect(try await list.next()?.value.map { $0.weight } == [30])
  }
}
