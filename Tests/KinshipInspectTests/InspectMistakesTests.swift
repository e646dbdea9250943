import Kinship
import KinshipTestSupport
import Testing

@testable import kinship_inspect

/// The messages of `kinship-inspect` about mistakes.
struct InspectMistakesTests {
  @Test func `each message names what it is about and what to do`() async throws {
    var table = MistakeTable()
    let disk = try await ExampleFamily.disk()
    disk.put(Array("Not one of Kinship's files.".utf8), "text", in: "/d")
    disk.put(Array("key,name\n1,Rex\n".utf8), "dogs.csv", in: "/d")
    disk.put(Array("[]\n".utf8), "dogs.jsonl", in: "/d")
    func note(
      _ mistake: String, _ arguments: [String], naming names: [String], advice: String
    ) {
      let console = RecordedConsole()
      _ = InspectProgram(console: console, files: disk).run(arguments)
      table.note(mistake, console.complaints.first, naming: names, advice: advice)
    }
    let help = "Try kinship-inspect --help."
    note(
      "give an option that does not exist", ["show", "/store", "--deep"], naming: ["“--deep”"],
      advice: help)
    note(
      "give a command that does not exist", ["look", "/store"], naming: ["“look”"],
      advice: "The commands are show")
    note(
      "leave an option out", ["export", "/store"], naming: ["export", "--to"],
      advice: "the path of the file to write")
    note(
      "give a condition with a typing error",
      ["show", "/store", "--records", "Person", "--where", "name starst with \"V\""],
      naming: ["--where", "starst"], advice: "there should be =")
    note(
      "name a type that is not there", ["show", "/store", "--records", "Human"],
      naming: ["/store", "“Human”"], advice: "The types are Person, Place")
    note(
      "name a property that is not there", ["verify", "/store", "--ref", "Person.fathr=Person"],
      naming: ["/store", "“fathr” of Person"], advice: "The properties are id")
    note(
      "name a record that is not there",
      ["tree", "/store", "Person:7", "--ref", "Person.father=Person"],
      naming: ["/store", "“Person:7”"], advice: "such as Person:42")
    note(
      "read a file of another kind", ["show", "/d/text"], naming: ["/d/text"],
      advice: "Check the path")
    note(
      "import a table without ids", ["import", "/d/dogs.csv", "--to", "/new", "--records", "Dog"],
      naming: ["/d/dogs.csv", "key, name"], advice: "rename the one of the key to “id”")
    note(
      "import a line that is not a record", ["import", "/d/dogs.jsonl", "--to", "/new"],
      naming: ["/d/dogs.jsonl:1:1"], advice: "There should be an object in braces")
    // On the real disk: in a directory that has no such file.
    table.note(
      "read a file that does not exist", run("show", "no").console.complaints.first,
      naming: ["Could not open", "no"], advice: "Check the path")
    table.note(
      "verify a snapshot that lost a record", try lostRecord(on: disk),
      naming: ["/d/snapshot", "The footer counts 6 records"], advice: "can be read")
    table.printIfAsked()
    #expect(table.faults == [])
    #expect(table.count == 12)
  }

  /// The line about the number of records, after a byte of one was changed.
  private func lostRecord(on disk: SimulatedDisk) throws -> String? {
    var bytes = try #require(disk.files(in: "/d")["snapshot"])
    let name = try #require(bytes.firstRange(of: Array("Vicky".utf8)))
    bytes[name.lowerBound] ^= 1
    disk.put(bytes, "snapshot", in: "/d")
    let console = RecordedConsole()
    _ = InspectProgram(console: console, files: disk).run(["verify", "/d/snapshot"])
    let lines = console.output.split(separator: "\n").map(String.init) + console.complaints
    return lines.first { $0.contains("footer") }
  }
}
