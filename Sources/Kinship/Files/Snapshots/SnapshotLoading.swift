#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Loads a snapshot: frames are decoded in parallel and their records handed on in order.
struct SnapshotLoading: Sendable {
  let path: String
  let schema: GraphSchema
  let options: RestoreOptions
  /// How many records the file says there are.
  let count: Int
  /// The size of the file, in bytes.
  let size: Int
  let progress: (@Sendable (SnapshotProgress) throws -> Void)?

  /// What was read, but for what was made of it.
  struct Outcome: Sendable {
    /// How many records have types that there are no longer.
    var removed = 0
    /// Why which records are missing.
    var failures: [KinshipError] = []
  }

  /// Loads what a reader has open.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - restore: Takes records, from the most recently used on; says whether it wants more.
  ///   - restoreIDs: Takes ids that are leased or known missing.
  /// - Returns: What was read.
  /// - Throws: `KinshipError` and `CancellationError`.
  func load(
    _ reader: SnapshotReader, restore: (RecordBatch) async throws -> Bool,
    restoreIDs: (IDList) async throws -> Void
  ) async throws -> Outcome {
    var outcome = Outcome()
    let salvages = options.damage == .salvage
    var duplicates = DuplicateCheck(
      path: path, types: schema.types, count: count, salvages: salvages)
    var (read, wantsMore) = (0, true)
    try await OrderedPipeline.run(
      width: 2 * ProcessInfo.processInfo.activeProcessorCount,
      next: {
        while let (piece, end) = try await reader.next() {
          try Task.checkCancellation()
          switch piece {
          case .ids(let list): try await restoreIDs(list)
          case .records(let frame, let context): if wantsMore { return (frame, context, end) }
          }
        }
        return nil
      },
      transform: { frame, context, end in
        (try RecordBlock.decode(frame, context), frame.payloadOffset, end)
      },
      consume: { decoded, start, end in
        outcome.removed += decoded.removed
        outcome.failures += decoded.failures
        read += decoded.batch.count + decoded.removed
        if wantsMore {
          wantsMore = try await restore(try duplicates.check(decoded, at: start))
        }
        try progress?(SnapshotProgress(completed: end, total: size))
      })
    outcome.failures += duplicates.failures
    outcome.failures += try await reader.finish(records: wantsMore ? read : nil)
    // All is restored: it is too late to stop.
    try? progress?(SnapshotProgress(completed: size, total: size))
    return outcome
  }
}
