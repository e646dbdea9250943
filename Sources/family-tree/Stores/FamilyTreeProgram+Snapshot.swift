import Foundation
import Kinship
import KinshipProgram

/// A snapshot of memory, from which a later run starts warm.
///
/// It keeps its place in the log of a database that several programs edit, so that a later run
/// reloads only the records that they have changed since.
extension FamilyTreeProgram {
  /// Restores the memory of the last run with the same snapshot.
  func restore(_ archive: Archive, from path: String) async throws {
    guard FileAccess.exists(path) else { return }
    do {
      let report = try await archive.cache.restore(from: URL(filePath: path))
      console.complain("\(path): \(report.restored.counted("record")) restored")
    } catch KinshipError.file(.damaged(let damage)) {
      // A cold start; what is saved at the end takes the place of the damaged file.
      console.complain("\(path): warning: \(damage) It is not used")
    } catch {
      throw Failure(error, of: path, .unreadable)
    }
  }

  /// Saves a snapshot of memory.
  func save(_ archive: Archive, to path: String) async throws {
    // The next run would reload a commit of this program that comes after the snapshot's place in
    // the log.
    try await archive.catchUp()
    try await Failure.telling(of: path, .cannotWrite) {
      let report = try await archive.cache.snapshot(to: URL(filePath: path))
      console.complain("\(path): \(report.records.counted("record")) saved")
    }
  }
}
