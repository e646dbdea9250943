public import Kinship

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FileStore {
  /// Opens a store for reading, while another store in any process may write it.
  ///
  /// ```swift
  /// let reader = try await FileStore(readingFrom: directory, schema: schema)
  /// let people = try await reader.fetch(RecordQuery<Person>().sorted(by: \.name))
  /// ```
  ///
  /// The reader shows the state after the last commit when it was opened or last refreshed:
  /// ``refresh()``. It creates, changes, locks and removes nothing in the directory, which may be
  /// read-only. Data that the writer compacts stays readable here; files that it removes take up
  /// disk space until the next ``refresh()``.
  ///
  /// - Parameters:
  ///   - url: The directory of a store, or of a backup.
  ///   - schema: The record types, which must be `Codable`, and so must their ids.
  ///   - coder: A coder by which records may have been written.
  ///   - migrations: The conversions of records of earlier versions to current ones.
  /// - Throws: `KinshipError.file(.failed)` with a `SystemError` if the directory does not exist or
  ///   its files cannot be read; `.file(.damaged)`, `.file(.foreign)`, `.file(.newerFormat)`,
  ///   `.file(.unknownCoder)`, `.invalidSchema(.notCodable)`, and `.invalidSchema(.unknownType)`,
  ///   `.file(.newerVersion)` or `.invalidSchema(.noMigration)` for a type in the files. A commit
  ///   that is being written is no error.
  /// - Complexity: O(*n*) in the records, for their ids.
  public convenience init(
    readingFrom url: URL, schema: GraphSchema, coder: any RecordCoder = .compact,
    migrations: Migrations = Migrations()
  ) async throws {
    try await self.init(
      reading: SystemFiles(), at: url.path(percentEncoded: false), schema: schema, coder: coder,
      migrations: migrations)
  }

  /// Reads the commits that the writer has made since the store was opened for reading or last
  /// refreshed.
  ///
  /// They become visible all at once: a concurrent read sees the state before or after. A cache on
  /// top of the store is not notified, so clear it yourself:
  ///
  /// ```swift
  /// if try await reader.refresh() {
  ///   await cache.removeAll()
  /// }
  /// ```
  ///
  /// - Returns: Whether anything was committed; that may be a compaction alone, which changes no
  ///   record. `false` for a store that writes, because it always has the last commit.
  /// - Throws: `KinshipError.file(.damaged)` and `.file(.failed)`, and then the state is unchanged;
  ///   `.misuse(.closed)`.
  /// - Complexity: O(1) if nothing was committed, and otherwise O(*n*) in the bytes of the commits.
  ///   Indexes of types whose records have changed are rebuilt when they are needed. For a backup
  ///   that was updated, O(*n*) in the records, as for opening.
  public func refresh() async throws -> Bool {
    switch access {
    case .writing:
      try open { _ in }
      return false
    case .reading(let reader): return try await reader.refresh()
    }
  }

  /// The writer of the log, unless the store only reads.
  func writer() throws(KinshipError) -> LogWriter {
    guard case .writing(let writer) = access else { throw .misuse(.readOnlyStore("FileStore")) }
    return writer
  }

  /// All segments in their current state, the oldest first, and the catalog.
  func logged() async throws -> (segments: [Log.SealedSegment], catalog: LockedCatalog) {
    switch access {
    case .writing(let writer): (try await writer.segments(), catalog)
    case .reading(let reader): try await reader.logged()
    }
  }
}

enum LogAccess: Sendable {
  case writing(LogWriter)
  case reading(LogReader)
}
