import Foundation
import Kinship
import KinshipFileStore
import KinshipInspection
import KinshipProgram

struct InspectProgram {
  let console: any Console
  var files: any FileSystem = SystemFiles()

  func run(_ arguments: [String]) -> ExitStatus {
    do { return try perform(Options(arguments)) } catch {
      return console.report(error, in: "kinship-inspect")
    }
  }

  private func perform(_ options: Options) throws -> ExitStatus {
    if options.help || options.version {
      try console.write(options.help ? helpText : "kinship-inspect \(version)\n")
      return .success
    }
    switch options.command {
    case .show: return try show(options)
    case .verify: return try verify(options)
    case .export: return try export(options)
    case .import: return try importRecords(options)
    case .salvage: return try copy(options, refusingDamage: false)
    case .compact: return try copy(options, refusingDamage: true)
    case .diff: return try diff(options)
    case .tree: return try tree(options)
    }
  }

  func read(_ path: String, _ options: Options, all: Bool) throws -> Inspection {
    let database = StoreLocation(database: path, in: files)
    var meter = ProgressMeter("Reading \(database?.name ?? path)", on: console)
    defer { meter.end() }
    if let database { return try database.read(readsAll: all) { meter.update($0) } }
    do throws(KinshipError) {
      return try Inspection(of: path, in: files, readsAll: all, renamed: options.renamed) {
        meter.update($0)
      }
    } catch {
      throw Failure(error, of: path)
    }
  }

  /// Reports damage, and returns the exit status if nothing worse happens.
  func complain(of damage: [FileDamage]) -> ExitStatus {
    for fault in damage { console.complain(fault.line("warning")) }
    return damage.isEmpty ? .success : .notFound
  }
}

extension FileDamage {
  /// The form of messages: `file:offset: severity: Person:42: cause.`.
  func line(_ severity: String) -> String {
    let record = type.map { "\($0.readable):\(id.map { "\($0)".readable } ?? "?"): " } ?? ""
    let sentence = record.isEmpty ? cause.asSentences : record + cause.asSentence
    return "\(file):\(offset): \(severity): \(sentence)"
  }
}

@main
enum Main {
  static func main() {
    let program = InspectProgram(console: StandardConsole())
    exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
