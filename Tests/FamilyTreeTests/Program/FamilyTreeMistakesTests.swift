import Foundation
import KinshipTestSupport
import Testing

@testable import family_tree

/// The messages of `family-tree` about mistakes.
struct FamilyTreeMistakesTests {
  @Test func `each message names what it is about and what to do`() async throws {
    var table = MistakeTable()
    let directory = try TemporaryDirectory()
    func path(_ name: String) -> String { directory.url.appending(path: name).path }
    try Data(smallFamily.utf8).write(to: URL(filePath: path("small.ged")))
    try Data("Dear diary".utf8).write(to: URL(filePath: path("diary.ged")))
    try FileManager.default.createDirectory(
      atPath: path("folder"), withIntermediateDirectories: false)
    try Data("Dear diary".utf8).write(to: URL(filePath: path("folder/diary.txt")))
    let family = path("small.ged")
    let mistakes: [(String, [String], names: [String], advice: String)] = [
      (
        "read a file that does not exist", [path("no.ged")], [path("no.ged")], "Check the path"
      ),
      (
        "read a file that is not GEDCOM", [path("diary.ged")], [path("diary.ged") + ":1"],
        "Choose another file"
      ),
      (
        "ask for a person who is not there", [family, "--person", "Zack"], ["“Zack”"],
        "an id such as I1"
      ),
      (
        "give conditions that no person fulfils", [family, "--find", "Zack"], ["family-tree"],
        "Leave one out"
      ),
      (
        "give an option with a typing error", [family, "--ancestor", "3"], ["“--ancestor”"],
        "Did you mean --ancestors?"
      ),
      (
        "give an option a value that does not fit", [family, "--ancestors", "x"], ["“x”"],
        "--ancestors takes a number of generations"
      ),
      (
        "use one path for two things", [family, "--store", family], [family],
        "Name another one"
      ),
      (
        "keep a store among other files", [family, "--store", path("folder")], [path("folder")],
        "Choose an empty or a new one"
      ),
      (
        "explore a store that is empty", ["--store", path("new")], [path("new")],
        "Name a GEDCOM file to import"
      ),
    ]
    for (mistake, arguments, names, advice) in mistakes {
      let console = await run(arguments).console
      table.note(mistake, console.complaints.first, naming: names, advice: advice)
    }
    table.printIfAsked()
    #expect(table.faults == [])
    #expect(table.count == mistakes.count)
  }
}
