public import Kinship

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A backing store in a directory of files: no database is needed.
///
/// ```swift
/// let store = try await FileStore(at: directory, schema: schema)
/// let cache = GraphCache(schema: schema, store: store)
/// ```
///
/// Commits are appended to a log; in memory is only where each record lies. See `KinshipFileStore`
/// for what is in the files, and what can be lost when.
///
/// One store can be open to write to a directory at a time, in whatever process. Others can be open
/// to read it: ``init(readingFrom:schema:coder:migrations:)``.
public final class FileStore: BackingStore {
  /// When a commit is on the disk, and so survives a loss of power.
  ///
  /// If only the program dies, no commit is lost that was acknowledged, whatever the durability.
  public enum Durability: Hashable, Sendable {
    /// Before it is acknowledged. No acknowledged commit is lost.
    case everyCommit
    /// At most so long after it is acknowledged. A loss of power takes at most the commits of that
    /// time, the last ones.
    case atMostEvery(Duration)
    /// When the system likes, which may take half a minute, or when a segment is full. A loss of
    /// power takes at most the commits that were not written until then, the last ones.
    case system
  }

  /// What was found when the store was opened.
  public let report: FileStoreReport

  let schema: GraphSchema
  let access: LogAccess
  let builder = IndexBuilder()
  let counter = IDCounter()
  let files: any FileSystem
  private let current: CurrentCatalog
  private let path: String

  var catalog: LockedCatalog { current.catalog }

  /// Opens a store, or makes one.
  ///
  /// - Parameters:
  ///   - url: The directory. It is made if it is not there; the one that holds it must be there.
  ///   - schema: The record types, which must be `Codable`, and so must their ids.
  ///   - coder: How records are written. Those that were written with another coder stay as they
  ///     are until they are written again.
  ///   - durability: When a commit is on the disk.
  ///   - damage: What is done about damage. To salvage means to read all of the log.
  ///   - migrations: How records of earlier versions become records of today.
  /// - Throws: `KinshipError.storeInUse` if the store is open elsewhere, `.damaged`, `.fileFailed`
  ///   with a `SystemError`, `.foreignFile`, `.newerFormat`, `.unknownCoder`, `.notCodable`, and
  ///   `.unknownType`, `.newerVersion` or `.noMigration` for a type in the files; `.notUnique` if
  ///   records violate a unique index.
  /// - Complexity: O(*n*) in the records, for their ids; the records themselves are not read,
  ///   unless their type has a unique index.
  public convenience init(
    at url: URL, schema: GraphSchema, coder: any RecordCoder = .compact,
    durability: Durability = .everyCommit, damage: DamagePolicy = .refuse,
    migrations: Migrations = Migrations()
  ) async throws {
    try await self.init(
      in: SystemFiles(), at: url.path(percentEncoded: false), schema: schema, coder: coder,
      durability: durability, damage: damage, migrations: migrations)
  }

  /// Opens a store in any file system.
  package init(
    in files: any FileSystem, at path: String, schema: GraphSchema,
    coder: any RecordCoder = .compact, durability: Durability = .everyCommit,
    damage: DamagePolicy = .refuse, migrations: Migrations = Migrations(),
    tuning: LogTuning = LogTuning()
  ) async throws {
    let catalog = try LockedCatalog(schema)
    let writer = LogWriter(
      LogEnvironment(
        files: files, path: path, schema: schema, coder: coder, durability: durability,
        damage: damage, migrations: migrations, tuning: tuning), catalog)
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

  /// Opens a store in any file system to read it.
  package init(
    reading files: any FileSystem, at path: String, schema: GraphSchema,
    coder: any RecordCoder = .compact, migrations: Migrations = Migrations()
  ) async throws {
    let reader = LogReader(
      LogEnvironment(
        files: files, path: path, schema: schema, coder: coder, durability: .system,
        damage: .refuse, migrations: migrations, tuning: LogTuning()))
    self.path = path
    self.files = files
    self.schema = schema
    access = .reading(reader)
    (current, report) = try await reader.open()
  }

  /// Waits until all that was committed is on the disk.
  ///
  /// - Throws: `KinshipError.fileFailed` and `.closed`; `.readOnlyStore` if it only reads.
  public func synchronize() async throws { try await writer().sync() }

  /// Writes all records again, and removes what is outdated.
  ///
  /// The store does that by itself, in the background, whenever too much is outdated.
  ///
  /// - Throws: `KinshipError.fileFailed`, `.damaged` and `.closed`; `.readOnlyStore` if it only
  ///   reads; `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the bytes of the store. Others read and commit meanwhile.
  public func compact() async throws {
    let writer = try writer()
    var last = try await writer.compact(upTo: nil)
    while let number = last {
      try Task.checkCancellation()
      last = try await writer.compact(upTo: number)
    }
  }

  /// Reads all of the log, and checks every byte of it.
  ///
  /// The records that there are, are checked whenever they are read. This finds as well what nobody
  /// comes upon otherwise: damage to what a commit says of itself, and to records that were changed
  /// or deleted since.
  ///
  /// - Throws: `KinshipError.damaged` for the first damage that is found, `.fileFailed` and
  ///   `.closed`; `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the bytes of the store. Others read and commit meanwhile.
  public func verify() async throws {
    let (segments, catalog) = try await logged()
    for segment in segments {
      var verification = SegmentVerification(segment, catalog)
      while try verification.next() { try Task.checkCancellation() }
    }
  }

  /// Waits until all that was committed is on the disk, and releases the directory.
  ///
  /// A store that was closed opens faster; if what is needed for that cannot be written, only
  /// ``FileStoreStatistics/backgroundFailure`` says so. To close it again does nothing.
  ///
  /// - Throws: `KinshipError.fileFailed`; it is closed all the same.
  public func close() async throws {
    catalog.change { $0.isClosed = true }
    switch access {
    case .writing(let writer): try await writer.close()
    case .reading(let reader): await reader.close()
    }
  }

  /// How much there is, and what was done since the store was opened.
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

  /// Reads the catalog of a store that is open.
  ///
  /// - Throws: `KinshipError.closed`, and what the closure throws.
  func open<Result: Sendable>(
    _ body: (inout Catalog) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result {
    try catalog.change { [path] catalog throws(KinshipError) in
      if catalog.isClosed { throw .closed(path: path) }
      return try body(&catalog)
    }
  }
}

/// How much there is in a ``FileStore``, and what it has done since it was opened.
public struct FileStoreStatistics: Sendable {
  /// The number of records.
  public let records: Int
  /// The bytes of all records as they are in the log.
  public let liveBytes: Int
  /// The bytes of all files.
  public let totalBytes: Int
  /// The number of segments of the log.
  public let segments: Int
  /// How many change sets were committed.
  public let commits: Int
  /// How often a commit, or several together, were waited for to be on the disk.
  public let syncs: Int
  /// How many records were written again so that what is outdated could be removed.
  public let movedRecords: Int
  /// What has failed last that nobody had waited for, such as compaction; `nil` if nothing has.
  public let backgroundFailure: KinshipError?
}
