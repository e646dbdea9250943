public import Kinship

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Stores records in a directory of files, without a database.
///
/// ```swift
/// let store = try await FileStore(at: directory, schema: schema)
/// let cache = GraphCache(schema: schema, store: store)
/// ```
///
/// Commits are appended to a log; memory holds only the location of each record. See
/// `KinshipFileStore` for what a loss of power can cost, and <doc:Log-format> for the contents of
/// the files.
///
/// One store at a time, in any process, can be open for writing to a directory. Others can open it
/// for reading: ``init(readingFrom:schema:coder:migrations:)``.
public final class FileStore: BackingStore {
  /// The time at which a commit is synced to disk, so that it survives a loss of power.
  ///
  /// If only the program crashes, no acknowledged commit is lost, whatever the durability.
  public enum Durability: Hashable, Sendable {
    /// Before the commit is acknowledged.
    ///
    /// No acknowledged commit is lost.
    case everyCommit
    /// At most this long after the commit is acknowledged.
    ///
    /// A loss of power loses at most the commits of that time, which are the last ones.
    case atMostEvery(Duration)
    /// When the system decides, which may take half a minute, or when a segment is full.
    ///
    /// A loss of power loses at most the commits that were not written by then, which are the last
    /// ones.
    case system
  }

  /// The result of opening the store: its size, and any damage.
  public let report: FileStoreReport

  let schema: GraphSchema
  let access: LogAccess
  let builder = IndexBuilder()
  let counter = IDCounter()
  let files: any FileSystem
  private let current: CurrentCatalog
  private let path: String

  var catalog: LockedCatalog { current.catalog }

  /// Opens a store, or creates one if there is none.
  ///
  /// - Parameters:
  ///   - url: The directory. It is created if it does not exist; its parent directory must exist.
  ///   - schema: The record types, which must be `Codable`, and so must their ids.
  ///   - coder: The coder for new records. Records that another coder has written keep their
  ///     encoding until they are written again.
  ///   - durability: The time at which a commit is synced to disk.
  ///   - damage: The treatment of damage. Salvaging reads the whole log.
  ///   - migrations: The conversions of records of earlier versions to current ones.
  /// - Throws: `KinshipError.file(.inUse)` if the store is open elsewhere, `.file(.damaged)`,
  ///   `.file(.failed)` with a `SystemError`, `.file(.foreign)`, `.file(.newerFormat)`,
  ///   `.file(.unknownCoder)`, `.invalidSchema(.notCodable)`, and `.invalidSchema(.unknownType)`,
  ///   `.file(.newerVersion)` or `.invalidSchema(.noMigration)` for a type in the files;
  ///   `.notUnique` if records violate a unique index.
  /// - Complexity: O(*n*) in the records, for their ids; the records themselves are not read unless
  ///   their type has a unique index.
  public convenience init(
    at url: URL, schema: GraphSchema, coder: any RecordCoder = .compact,
    durability: Durability = .everyCommit, damage: DamagePolicy = .refuse,
    migrations: Migrations = Migrations()
  ) async throws {
    try await self.init(
      in: SystemFiles(), at: url.path(percentEncoded: false), schema: schema, coder: coder,
      durability: durability, damage: damage, migrations: migrations)
  }

  package init(
    in files: any FileSystem, at path: String, schema: GraphSchema,
    coder: any RecordCoder = .compact, durability: Durability = .everyCommit,
    damage: DamagePolicy = .refuse, migrations: Migrations = Migrations(),
    tuning: LogTuning = LogTuning()
  ) async throws {
    let catalog = try LockedCatalog(schema)
    let writer = LogWriter(
      LogEnvironment(
        files: files, path: path, schema: schema, coder: coder, damage: damage,
        migrations: migrations, tuning: tuning), durability, catalog)
    self.path = path
    self.files = files
    self.schema = schema
    current = CurrentCatalog(catalog)
    access = .writing(writer)
    report = try await writer.open()
    do {
      try await makeUniqueIndexes()
    } catch {
      try await close()
      throw error
    }
  }

  package init(
    reading files: any FileSystem, at path: String, schema: GraphSchema,
    coder: any RecordCoder = .compact, migrations: Migrations = Migrations()
  ) async throws {
    let reader = LogReader(
      LogEnvironment(
        files: files, path: path, schema: schema, coder: coder, damage: .refuse,
        migrations: migrations, tuning: LogTuning()))
    self.path = path
    self.files = files
    self.schema = schema
    access = .reading(reader)
    (current, report) = try await reader.open()
  }

  /// Waits until all commits are synced to disk.
  ///
  /// - Throws: `KinshipError.file(.failed)` and `.misuse(.closed)`; `.misuse(.readOnlyStore)` if
  ///   the store only reads.
  public func synchronize() async throws { try await writer().sync() }

  /// Rewrites all current records, and removes outdated data.
  ///
  /// The store does this by itself, in the background, whenever too much is outdated.
  ///
  /// - Throws: `KinshipError.file(.failed)`, `.file(.damaged)` and `.misuse(.closed)`;
  ///   `.misuse(.readOnlyStore)` if the store only reads; `CancellationError` if the task is
  ///   cancelled.
  /// - Complexity: O(*n*) in the bytes of the store. Others read and commit meanwhile.
  public func compact() async throws {
    let writer = try writer()
    var last = try await writer.compact(upTo: nil)
    while let number = last {
      try Task.checkCancellation()
      last = try await writer.compact(upTo: number)
    }
  }

  /// Reads the whole log, and checks every byte of it.
  ///
  /// Each read of a record checks that record. This call also finds damage that no read meets: in
  /// the headers of commits, and in records that were changed or deleted since.
  ///
  /// - Throws: `KinshipError.file(.damaged)` for the first damage found, `.file(.failed)` and
  ///   `.misuse(.closed)`; `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the bytes of the store. Others read and commit meanwhile.
  public func verify() async throws {
    let (segments, catalog) = try await logged()
    for segment in segments {
      try segment.verify(catalog) { try Task.checkCancellation() }
    }
  }

  /// Waits until all commits are synced to disk, and releases the directory.
  ///
  /// A store that was closed opens faster. If the files for that cannot be written, only
  /// ``FileStoreStatistics/backgroundFailure`` reports it. Closing a closed store does nothing.
  ///
  /// - Throws: `KinshipError.file(.failed)`; the store is closed all the same.
  public func close() async throws {
    catalog.change { $0.isClosed = true }
    switch access {
    case .writing(let writer): try await writer.close()
    case .reading(let reader): await reader.close()
    }
  }

  /// The current size of the store, and counts since it was opened.
  ///
  /// - Complexity: O(1).
  public var statistics: FileStoreStatistics {
    catalog.read { catalog in
      FileStoreStatistics(
        records: catalog.locations.reduce(0) { $0 + $1.count },
        liveBytes: catalog.space.live, totalBytes: catalog.space.total,
        segments: catalog.space.shares.count, commits: catalog.tally.commits,
        syncs: catalog.tally.syncs, movedRecords: catalog.tally.moved,
        backgroundFailure: catalog.tally.failure)
    }
  }

  /// Runs a closure with the catalog, if the store is open.
  func open<Result: Sendable>(
    _ body: (inout Catalog) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result {
    try catalog.change { [path] catalog throws(KinshipError) in
      if catalog.isClosed { throw .misuse(.closed(path: path)) }
      return try body(&catalog)
    }
  }
}

/// The size of a ``FileStore``, and counts since it was opened.
public struct FileStoreStatistics: Sendable {
  /// The number of records.
  public let records: Int
  /// The bytes of all current records in the log.
  public let liveBytes: Int
  /// The bytes of all files.
  public let totalBytes: Int
  /// The number of segments of the log.
  public let segments: Int
  /// The number of committed change sets.
  public let commits: Int
  /// The number of syncs to disk that commits waited for.
  ///
  /// Several commits can share one.
  public let syncs: Int
  /// The number of records that compaction rewrote.
  public let movedRecords: Int
  /// The last error of background work, such as compaction; `nil` if there was none.
  public let backgroundFailure: KinshipError?
}
