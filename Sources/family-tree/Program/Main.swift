import Foundation
import KinshipProgram

/// A genealogy in a terminal: how an application uses Kinship.
///
/// - `Records`: the record types, with their relationships and delete rules.
/// - `Gedcom`, `Reading`: from the bytes of a GEDCOM file to records.
/// - `Sample`: a genealogy to play with.
/// - `Stores`: the sources of records: memory, files, SQLite, PostgreSQL; and warm starts.
/// - `Questions`: graphs, queries and figures, all from one cache.
/// - `Drawing`: answers as text.
/// - `Shell`: edits with undo, and watching what changes.
/// - `Program`: options, and how they are answered. Read `FamilyTreeProgram.swift` first, then
///   `Archive.swift` in `Questions`.
@main
enum Main {
  static func main() async {
    let program = FamilyTreeProgram(console: StandardConsole())
    let status = await program.run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }
}
