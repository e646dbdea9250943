#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps optimistic writes in files until the backing store has made or refused them.
///
/// ```swift
/// let queue = try await OfflineQueue(at: directory, schema: schema)
/// let restored = try await cache.resume(queue)
/// ```
///
/// From then on each optimistic write is on the disk before it is shown, and while the store cannot
/// be reached, which is what ``BackingStore/isOutage(_:)`` says, writes stay pending. See
/// <doc:Offline>.
public final class OfflineQueue: Sendable {
  /// Where the file was cut, because what followed had not been written to the end: `nil` if
  /// nothing was cut.
  ///
  /// That is usual after the machine has died while a write was queued, which was not acknowledged.
  /// Damage to the very last write looks the same.
  public let cut: FileDamage?

  let log: OfflineLog
  /// What was queued, until a cache resumes it.
  let found: Lock<[OfflineLog.Found]?>
  let delays: (first: Duration, longest: Duration)

  /// Opens a queue, or makes one.
  ///
  /// - Parameters:
  ///   - url: The directory. It is made if it is not there; the one that holds it must be there.
  ///   - schema: The record types, those of the cache.
  ///   - delay: How long after an outage the store is tried again, by the cache's clock. The time
  ///     doubles with each outage in a row.
  ///   - longestDelay: The longest such time.
  /// - Throws: `KinshipError.storeInUse` if the queue is open elsewhere, `.damaged`, `.fileFailed`
  ///   with a ``SystemError``, `.foreignFile`, `.newerFormat`; `.unknownType`, `.newerVersion` or
  ///   `.noMigration` for a type of a queued write, and `DecodingError` for one that does not
  ///   decode. Then the files are as they were.
  /// - Complexity: O(*n*) in the bytes of the queue.
  public convenience init(
    at url: URL, schema: GraphSchema, retryingAfter delay: Duration = .seconds(1),
    atMost longestDelay: Duration = .seconds(60)
  ) async throws {
    try await self.init(
      in: SystemFiles(), at: url.path(percentEncoded: false), schema: schema,
      retryingAfter: delay, atMost: longestDelay)
  }

  /// Opens a queue in any file system, whose files are read and written where an executor says.
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

  /// Releases the directory; to close it again does nothing.
  ///
  /// What is queued stays so. A cache that has resumed the queue accepts no optimistic writes then,
  /// and sends none of what is queued.
  public func close() async { await log.close() }
}
