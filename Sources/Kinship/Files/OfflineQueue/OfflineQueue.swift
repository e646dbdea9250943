#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps optimistic writes in files until the backing store has committed or refused them.
///
/// ```swift
/// let queue = try await OfflineQueue(at: directory, schema: schema)
/// let restored = try await cache.resume(queue)
/// ```
///
/// From then on, each optimistic write is synced to disk before it becomes visible. Writes stay
/// pending while the store is unreachable, as ``BackingStore/isOutage(_:)`` reports. See
/// <doc:Offline>.
///
/// The directory holds a lock file and the file `queue`: Kinship's file header (<doc:File-format>),
/// a frame with the names and versions of the record types, and a frame for each step. A step has
/// the keys of the writes that left, and the new or re-run writes, each with its key and its change
/// set in the form of `CompactCoder`. It is synced before anything depends on it. When most
/// of the file is outdated, a new one replaces it.
public final class OfflineQueue: Sendable {
  /// The place where the file was cut because its last write was incomplete; `nil` if nothing was
  /// cut.
  ///
  /// A cut is normal if the machine crashed while it queued a write, which was then not
  /// acknowledged. Damage to the very last write looks the same.
  public let cut: FileDamage?

  let log: OfflineLog
  /// The queued writes, until a cache resumes the queue.
  let found: Lock<[OfflineLog.Found]?>
  let delays: (first: Duration, longest: Duration)

  /// Opens a queue, or creates one if there is none.
  ///
  /// - Parameters:
  ///   - url: The directory. It is created if it does not exist; its parent directory must exist.
  ///   - schema: The record types of the cache.
  ///   - delay: The time after an outage before the store is tried again, by the cache's clock. It
  ///     doubles with each outage in a row.
  ///   - longestDelay: The maximum of that time.
  /// - Throws: `KinshipError.file(.inUse)` if the queue is open elsewhere, `.file(.damaged)`,
  ///   `.file(.failed)` with a `SystemError`, `.file(.foreign)`, `.file(.newerFormat)`;
  ///   `.invalidSchema(.unknownType)`, `.file(.newerVersion)` or `.invalidSchema(.noMigration)` for
  ///   a type of a queued write; `DecodingError` for a write that cannot be decoded. Then the files
  ///   are unchanged.
  /// - Complexity: O(*n*) in the bytes of the queue.
  public convenience init(
    at url: URL, schema: GraphSchema, retryingAfter delay: Duration = .seconds(1),
    atMost longestDelay: Duration = .seconds(60)
  ) async throws {
    try await self.init(
      in: SystemFiles(), at: url.path(percentEncoded: false), schema: schema,
      retryingAfter: delay, atMost: longestDelay)
  }

  /// Opens a queue in any file system, with an executor for its file access.
  package init(
    in files: any FileSystem, at path: String, schema: GraphSchema,
    retryingAfter delay: Duration = .seconds(1), atMost longestDelay: Duration = .seconds(60),
    executor: any SerialExecutor = SerialQueueExecutor(label: "Kinship.OfflineQueue")
  ) async throws {
    log = OfflineLog(files: files, path: path, schema: schema, executor: executor)
    delays = (delay, max(delay, longestDelay))
    let (found, cut) = try await log.open()
    self.found = Lock(found)
    self.cut = cut
  }

  /// Releases the directory.
  ///
  /// Closing a closed queue does nothing.
  ///
  /// The queued writes stay queued. A cache that has resumed the queue then accepts no optimistic
  /// writes, and sends no queued ones.
  public func close() async { await log.close() }
}
