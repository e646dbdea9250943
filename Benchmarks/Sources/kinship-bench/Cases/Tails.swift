import Kinship

extension Subcommand {
  static let tails = Subcommand(
    name: "tails", question: "How long do readers wait at most while something big is done?",
    cases: [
      .idleTail, .referrersTail, .coldestTail, .leaseTail, .leaseEndTail, .removeAllTail,
      .removeAllInSnapshotTail, .trimTail, .trimListenerTail, .putTail, .putManyTail, .restoreTail,
      .snapshotTail, .starTail, .treeTail, .findMissingTail, .findTail, .updatesTail, .insertsTail,
      .cascadeTail, .undoTail, .optimisticTail, .refusalTail, .failureTail, .observedGraphTail,
      .queryTail, .countTail,
    ])
}

extension Effort {
  /// The numbers of records in the work that readers may wait for.
  var tailCounts: [Int] {
    switch self {
    case .full: [1_000_000]
    case .quick: [10_000]
    }
  }
}

/// Long work in a cache, and reads of a record meanwhile.
struct Interruption: Sendable {
  let peek: @Sendable () async -> Void
  let resolve: @Sendable () async -> Void
  let work: @Sendable () async throws -> Void

  init<R: GraphRecord>(
    of ref: Ref<R>, in cache: GraphCache, by work: @escaping @Sendable () async throws -> Void
  ) {
    peek = { _ = cache.peek(ref) }
    // It does not matter whether the record still exists.
    resolve = { _ = try? await cache.resolve(ref) }
    self.work = work
  }
}

extension Case {
  /// The longest time that a read of a record in memory takes while other work runs.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - work: A description of the work.
  ///   - prepare: Creates everything that the work needs, for a number of records.
  /// - Returns: The case.
  static func tail(
    _ name: String, while work: String,
    prepare: @escaping @Sendable (_ size: Int) async throws -> Interruption
  ) -> Case {
    Case(
      name, summary: "the longest wait for a record in memory, \(work); ns",
      sizes: \.tailCounts
    ) { size, _ in
      Comparison(
        size: size,
        systems: [
          System("all of it") {
            let interruption = try await prepare(size)
            let watch = Stopwatch()
            try await interruption.work()
            return Sample(watch.elapsed, operations: 1, checks: [])
          },
          System("peek", bar: .value(1_000_000)) {
            let interruption = try await prepare(size)
            return try await sample(interruption.peek, while: interruption.work)
          },
          System("resolve", bar: .value(8_000_000)) {
            let interruption = try await prepare(size)
            return try await sample(interruption.resolve, while: interruption.work)
          },
        ])
    }
  }

  private static func sample(
    _ read: @escaping @Sendable () async -> Void, while work: () async throws -> Void
  ) async throws -> Sample {
    let longest = try await ReaderThread.shared.longestReading(read, while: work)
    return Sample(longest, operations: 1, checks: [])
  }
}
