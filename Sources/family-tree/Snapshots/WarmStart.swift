import Foundation
import Kinship
import KinshipProgram

/// A snapshot of what was in memory, from which a later run starts.
struct WarmStart {
  let path: String
  let console: any Console

  /// Puts back what was saved, if it is still true.
  ///
  /// - Parameters:
  ///   - cache: An empty cache; it is empty afterwards if nothing was put back.
  ///   - state: What the genealogy is now.
  /// - Returns: Whether anything was put back.
  /// - Throws: `Failure` for a file that must not be written over, or cannot be read.
  @discardableResult
  func restore(into cache: GraphCache, of state: String) async throws -> Bool {
    guard FileAccess.exists(path) else { return false }
    do {
      let report = try await cache.restore(from: URL(filePath: path))
      let note = await cache.remove(SnapshotNote.only)
      if note?.state == state {
        // The note is one of them.
        let records = (report.restored - 1).counted("record")
        console.complain("\(path): \(records) restored, saved \(Self.ago(report.age))")
        return true
      }
      warn("the genealogy is not as it was when this was saved: it is not used")
    } catch let error as KinshipError {
      if let failure = refusal(error) { throw failure }
      warn("\(Self.cause(of: error)): it is not used")
    }
    await cache.removeAll()
    return false
  }

  /// Saves what is in memory.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - state: What the records in it are of.
  /// - Throws: `Failure`; then the file is as it was.
  func save(_ cache: GraphCache, of state: String) async throws {
    do {
      // The last to be used is the first to be restored: the note never lacks room.
      try await cache.put(SnapshotNote(state))
      let report = try await cache.snapshot(to: URL(filePath: path), requiresAll: true)
      await cache.remove(SnapshotNote.only)
      console.complain("\(path): \((report.records - 1).counted("record")) saved")
    } catch KinshipError.fileFailed(_, let cause) {
      throw Failure.unusable(path, .cannotWrite, cause)
    }
  }

  private func warn(_ message: String) {
    console.complain(
      Diagnostic(line: nil, severity: .warning, message: message).described(in: path))
  }

  /// Why a file is left alone; nil if it may be written over, since it is a snapshot that cannot be
  /// used.
  private func refusal(_ error: KinshipError) -> Failure? {
    switch error {
    case .foreignFile:
      Failure(status: .badData, subject: path, message: "it is no snapshot")
    case .newerFormat, .newerVersion:
      Failure(
        status: .badData, subject: path, message: "it was saved by a later version of this program")
    case .fileFailed(_, let cause): .unusable(path, .unreadable, cause)
    default: nil
    }
  }

  private static func cause(of error: KinshipError) -> String {
    guard case .damaged(let damage) = error else { return "\(error)" }
    return "it is damaged at byte \(damage.offset), \(damage.cause)"
  }

  /// A time in its largest unit.
  static func ago(_ age: Duration) -> String {
    let seconds = age.components.seconds
    let (count, unit) =
      switch seconds {
      case ..<60: (seconds, "second")
      case ..<3_600: (seconds / 60, "minute")
      case ..<86_400: (seconds / 3_600, "hour")
      default: (seconds / 86_400, "day")
      }
    return "\(count.counted(unit)) ago"
  }
}

/// What a snapshot was taken of: a record that is in memory only while one is saved or restored.
struct SnapshotNote: GraphRecord, Codable {
  static let only = Ref<SnapshotNote>(1)

  let id: Int
  /// The edition of a store, or what tells a file from others.
  let state: String

  init(_ state: String) {
    id = Self.only.id
    self.state = state
  }
}
