import Foundation
import Kinship
import KinshipFileStore
import KinshipInspection
import KinshipProgram

extension InspectProgram {
  /// Writes records to a new file of text, or to a new SQLite database.
  ///
  /// A `.csv` and a `.sqlite` read the source twice, the first time to find the columns. The file
  /// is not synced.
  func export(_ options: Options) throws -> ExitStatus {
    let inspection = try read(options.operands[0], options, all: false)
    let status = complain(of: inspection.damage)
    let selection = RecordSelection(inspection, options)
    try selection.require()
    guard let path = options.to else { return .usage }
    let found: (count: Int, damage: [FileDamage])
    if path.hasSuffix(".sqlite") {
      found = try exportDatabase(selection, to: path)
    } else {
      let file = try NewFile(path)
      found = try selection.write(asTable: path.hasSuffix(".csv"), file.write)
      try file.flush()
    }
    try console.write("\(found.count.counted("record")) written to \(path)\n")
    return complain(of: found.damage) == .success ? status : .notFound
  }

  /// Writes all undamaged records to a new file of the same kind.
  func copy(_ options: Options, refusingDamage: Bool) throws -> ExitStatus {
    let path = options.operands[0]
    if let database = StoreLocation(database: path, in: files) { throw database.isCopiedByOthers }
    let inspection = try read(path, options, all: true)
    if case .queue = inspection.kind {
      throw Failure(
        status: .usage, subject: path,
        message: "it is a queue of writes, which only the program that wrote it can use")
    }
    if refusingDamage, let damage = inspection.damage.first {
      throw Failure(
        status: .notFound, subject: path,
        message: "it is damaged. Copy the rest with the command salvage: \(damage)")
    }
    guard let target = options.to else { return .usage }
    let status = complain(of: inspection.damage)
    var left: [FileDamage] = []
    let count: Int
    do throws(KinshipError) {
      count = try inspection.copy(to: target, in: files) { left.append($0) }
    } catch {
      throw Failure(writing: error, to: target)
    }
    let lost = left.isEmpty ? "" : ", \(left.count.counted("record")) lost"
    try console.write("\(count.counted("record")) written to \(target)\(lost)\n")
    let known = Set(inspection.damage.map { "\($0)" })
    return complain(of: left.filter { !known.contains("\($0)") }) == .success ? status : .notFound
  }
}

/// A file that is written piece by piece; there must be none of its name.
final class NewFile {
  private let path: String
  private let number: Int32
  private var pending = ""

  init(_ path: String) throws(Failure) {
    self.path = path
    number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if number < 0 { throw failure(errno) }
  }

  deinit { if number >= 0 { _ = Foundation.close(number) } }

  func write(_ text: String) throws(Failure) {
    pending += text
    if pending.utf8.count >= 1 << 16 { try flush() }
  }

  func flush() throws(Failure) {
    if let code = FileOutput.writeAll(pending, to: number) { throw failure(code) }
    pending = ""
  }

  private func failure(_ code: Int32) -> Failure {
    FileAccess.failure(code, path, .cannotWrite, "written")
  }
}
