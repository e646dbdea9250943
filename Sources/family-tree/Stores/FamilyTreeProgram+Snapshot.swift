import Foundation
import Kinship
import KinshipProgram

/// A snapshot of what was in memory, from which a later run starts warm.
extension FamilyTreeProgram {
  /// Puts back what was in memory when the last run with the same snapshot ended, if it is still
  /// true.
  func restore(_ archive: Archive, from path: String) async throws {
    guard FileAccess.exists(path) else { return }
    let cache = archive.cache
    do {
      let report = try await cache.restore(from: URL(filePath: path))
      if cache.peek(Origin.only)?.mark == archive.origin?.mark {
        // The origin is one of them.
        let records = (report.restored - 1).counted("record")
        return console.complain("\(path): \(records) restored")
      }
      warn(path, "the genealogy is not as it was when this was saved: it is not used")
    } catch let error as KinshipError {
      switch error {
      // It may be a file of somebody else, which must not be written over.
      case .foreignFile, .newerFormat, .newerVersion, .fileFailed:
        throw Failure(error, of: path, .unreadable)
      default: warn(path, "\(error) It is not used")
      }
    }
    await cache.removeAll()
  }

  /// Saves what is in memory.
  func save(_ archive: Archive, to path: String) async throws {
    // Records that others change from now on are dropped from memory, and the origin with them.
    try await archive.catchUp()
    await archive.cache.invalidate(Origin.only)
    _ = try await archive.cache.resolve(Origin.only)
    try await archive.catchUp()
    if archive.cache.peek(Origin.only) == nil {
      return warn(path, "not saved: another program has changed the genealogy meanwhile")
    }
    try await Failure.telling(of: path, .cannotWrite) {
      let report = try await archive.cache.snapshot(to: URL(filePath: path), requiresAll: true)
      console.complain("\(path): \((report.records - 1).counted("record")) saved")
    }
  }

  private func warn(_ path: String, _ message: String) {
    console.complain(
      Diagnostic(line: nil, severity: .warning, message: message).described(in: path))
  }
}
