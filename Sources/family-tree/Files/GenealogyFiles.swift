import Foundation
import Kinship
import KinshipFileStore
import KinshipProgram

/// A genealogy in a directory of files.
///
/// The records are written as they are coded. Whoever changes their properties so that what was
/// written is no longer read counts up the `recordVersion`, and gives the store a migration.
struct GenealogyFiles: StoredGenealogy {
  let source: SourceFile
  private let path: String
  private let files: FileStore

  static func open(_ path: String, isEdited: Bool) async throws -> GenealogyFiles? {
    guard try hasLog(path) else { return nil }
    return try await tellingFailures(of: path, .unreadable) {
      let files = try await store(at: path)
      if let source = try await files.fetch(SourceFile.self, ids: [SourceFile.only.id]).first {
        return GenealogyFiles(source: source, path: path, files: files)
      }
      try await files.close()
      return nil
    }
  }

  static func fill(
    _ path: String, with genealogy: Genealogy, of source: SourceFile
  ) async throws -> Bool {
    _ = try hasLog(path)
    return try await tellingFailures(of: path, .cannotWrite) {
      let files = try await store(at: path)
      let cache = try GraphCache(schema: schema(), store: files)
      let isWritten = try await cache.fill(with: genealogy, of: source)
      try await files.close()
      return isWritten
    }
  }

  var store: any BackingStore { files }

  var shared: (any SharedStore)? { nil }

  var notes: [String] {
    guard let cut = files.report.cut else { return [] }
    return [
      "\(files.report.cutBytes.counted("byte")) cut off the end of \(cut.fileName): "
        + "an edit was not written to its end"
    ]
  }

  var figures: [StoreFigure] {
    let statistics = files.statistics
    return [
      StoreFigure(label: "records on disk", count: statistics.records),
      StoreFigure(label: "bytes on disk", count: statistics.totalBytes),
      StoreFigure(label: "commits", count: statistics.commits),
      StoreFigure(label: "syncs", count: statistics.syncs),
    ]
  }

  func close() async throws {
    try await Self.tellingFailures(of: path, .cannotWrite) { try await files.close() }
  }

  private static func store(at path: String) async throws -> FileStore {
    try await FileStore(at: URL(filePath: path), schema: schema())
  }

  private static func schema() throws(KinshipError) -> GraphSchema {
    try GraphSchema(
      Person.self, Family.self, Event.self, Place.self, SourceFile.self, Edition.self)
  }

  /// Whether a directory has a store's log.
  ///
  /// - Throws: `Failure` for a directory of something else, which must be left alone, and for a
  ///   file.
  private static func hasLog(_ path: String) throws(Failure) -> Bool {
    guard let names = try FileAccess.list(path) else { return false }
    if names.contains(where: { $0.hasSuffix(".kinlog") }) { return true }
    // A store that was being made has its lock, and perhaps hidden files.
    guard names.allSatisfy({ $0 == "lock" || $0.hasPrefix(".") }) else {
      throw Failure(
        status: .badData, subject: path,
        message: "there are other files in the directory; nothing was changed in it")
    }
    return false
  }

  /// Does something with a directory, whose errors become the program's.
  static func tellingFailures<Result>(
    of path: String, _ status: ExitStatus, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch KinshipError.commitFailed(let cause as KinshipError) {
      throw failure(cause, path, status)
    } catch let error as KinshipError {
      throw failure(error, path, status)
    }
  }

  private static func failure(
    _ error: KinshipError, _ path: String, _ status: ExitStatus
  ) -> Failure {
    switch error {
    case .storeInUse:
      Failure(status: status, subject: path, message: "another program has it open")
    case .damaged(let damage):
      Failure(
        status: .badData, subject: damage.file,
        message: "it is damaged at byte \(damage.offset): \(damage.cause)")
    case .unknownType, .foreignFile, .unknownCoder:
      Failure(
        status: .badData, subject: path,
        message: "it is the store of another program; nothing was changed in it")
    case .noMigration: .earlierVersion(of: path)
    case .newerFormat, .newerVersion:
      Failure(
        status: .badData, subject: path,
        message: "it was written by a later version of this program")
    case .fileFailed(_, let cause): .unusable(path, status, cause)
    default:
      Failure(
        status: error.isOfData ? .badData : status, subject: path, message: error.description)
    }
  }
}

extension FileDamage {
  /// The name of the file without the folder.
  fileprivate var fileName: String { URL(filePath: file).lastPathComponent }
}
