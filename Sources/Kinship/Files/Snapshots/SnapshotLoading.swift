/// Loads a snapshot: decodes frames in parallel and passes on their records in order.
struct SnapshotLoading: Sendable {
  let path: String
  let schema: GraphSchema
  let options: RestoreOptions
  /// The number of records in the file's head.
  let count: Int
  /// The size of the file, in bytes.
  let size: Int
  let progress: (@Sendable (SnapshotProgress) throws -> Void)?

  /// The result of loading, except the restored records.
  struct Outcome: Sendable {
    /// The number of records whose types were removed.
    var removed = 0
    /// The errors of the records that are missing.
    var failures: [KinshipError] = []
  }

  /// Loads a snapshot from an open reader.
  ///
  /// `restore` receives records, most recently used first, and returns whether to continue.
  /// `restoreIDs` receives ids that are leased or known to be missing, `restoreAnswer` answers to
  /// queries.
  ///
  /// - Throws: `KinshipError` and `CancellationError`.
  func load(
    _ reader: SnapshotReader, restore: (RecordBatch) async throws -> Bool,
    restoreIDs: (IDList) async throws -> Void,
    restoreAnswer: (CapturedAnswer) async -> Void
  ) async throws -> Outcome {
    var outcome = Outcome()
    let salvages = options.damage == .salvage
    var duplicates = DuplicateCheck(
      path: path, types: schema.types, count: count, salvages: salvages)
    var (read, wantsMore) = (0, true)
    try await OrderedPipeline.run(
      next: {
        while let (piece, end) = try await reader.next() {
          try Task.checkCancellation()
          switch piece {
          case .ids(let list): try await restoreIDs(list)
          case .answer(let answer): await restoreAnswer(answer)
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

/// Options for restoring a snapshot.
///
/// ```swift
/// var options = RestoreOptions()
/// options.maximumAge = .seconds(24 * 60 * 60)
/// options.damage = .salvage
/// let report = try await cache.restore(from: url, options)
/// ```
public struct RestoreOptions: Sendable {
  /// The maximum size of the file in bytes; 4 GB by default.
  ///
  /// It is compared with the file's size before a byte is read.
  public var maximumSize = 1 << 32
  /// The maximum age of a restored record since it was loaded or written; `nil` for no limit.
  public var maximumAge: Duration?
  /// The treatment of damage.
  public var damage = DamagePolicy.refuse
  /// Turns records of earlier versions into current ones.
  public var migrations = Migrations()
  /// Your own coder, if you used one; Kinship finds its own coders by the name in the file.
  public var coder: (any RecordCoder)?

  /// Creates the default options: no maximum age and no migrations, and damage throws.
  public init() {}
}
