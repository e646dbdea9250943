public import Kinship

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FileStore {
  /// Opens a store to read it, while another may write it, in whatever process.
  ///
  /// ```swift
  /// let reader = try await FileStore(readingFrom: directory, schema: schema)
  /// let people = try await reader.fetch(RecordQuery<Person>().sorted(by: \.name))
  /// ```
  ///
  /// It has the records that there were after the last commit when it was opened, until it is
  /// refreshed: ``refresh()``. In the directory nothing is made, changed, locked or removed, so it
  /// may be one that cannot be written to. What the writer compacts meanwhile stays readable here;
  /// what it removes keeps its room on the disk until the next ``refresh()``.
  ///
  /// - Parameters:
  ///   - url: The directory of a store, or of a backup.
  ///   - schema: The record types, which must be `Codable`, and so must their ids.
  ///   - coder: A coder by which records may have been written.
  ///   - migrations: How records of earlier versions become records of today.
  /// - Throws: `KinshipError.fileFailed` with a `SystemError` if the directory is not there, or
  ///   what is in it cannot be read; `.damaged`, `.foreignFile`, `.newerFormat`, `.unknownCoder`,
  ///   `.notCodable`, and `.unknownType`, `.newerVersion` or `.noMigration` for a type in the
  ///   files. That a commit is being written is no error.
  /// - Complexity: O(*n*) in the records, for their ids.
  public convenience init(
    readingFrom url: URL, schema: GraphSchema, coder: any RecordCoder = .compact,
    migrations: Migrations = Migrations()
  ) async throws {
    try await self.init(
      reading: SystemFiles(), at: url.path(percentEncoded: false), schema: schema, coder: coder,
      migrations: migrations)
  }

  /// Takes in what the writer of the store has committed since it was opened to be read, or
  /// refreshed.
  ///
  /// All of it is there at once: who reads meanwhile sees the state before or after. A cache on top
  /// of the store knows nothing of it:
  ///
  /// ```swift
  /// if try await reader.refresh() {
  ///   await cache.removeAll()
  /// }
  /// ```
  ///
  /// - Returns: Whether anything was committed; that may be no more than compaction, which changes
  ///   no record. Of a store that writes: `false`, for it always has the last commit.
  /// - Throws: `KinshipError.damaged` and `.fileFailed`; then nothing was taken in. `.closed`.
  /// - Complexity: O(1) if nothing was committed, and O(*n*) in the bytes of the commits otherwise.
  ///   Indexes of types whose records have changed are made anew when they are needed. O(*n*) in
  ///   the records, as if it were opened, of a backup that was renewed.
  public func refresh() async throws -> Bool {
    switch access {
    case .writing:
      try open { _ in }
      return false
    case .reading(let reader): return try await reader.refresh()
    }
  }

  /// Who may write.
  ///
  /// - Throws: `KinshipError.readOnlyStore` if the store only reads.
  func writer() throws(KinshipError) -> LogWriter {
    guard case .writing(let writer) = access else { throw .readOnlyStore("FileStore") }
    return writer
  }

  /// All segments as they are, the oldest first, and what is known of them.
  ///
  /// - Throws: `KinshipError`.
  func logged() async throws -> (segments: [Log.SealedSegment], catalog: LockedCatalog) {
    switch access {
    case .writing(let writer): (try await writer.segments(), catalog)
    case .reading(let reader): try await reader.logged()
    }
  }
}

/// What a store does with its log.
enum LogAccess: Sendable {
  case writing(LogWriter)
  case reading(LogReader)
}
