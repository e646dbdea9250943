import Foundation
import Kinship
import KinshipFileStore
import KinshipInspection
import KinshipProgram
import KinshipTestSupport
import Testing

@testable import kinship_inspect

/// Tests of each command's output for the example family.
struct InspectProgramTests {
  private static let refs = ["--ref", "Person.father=Person", "--ref", "Person.mother=Person"]

  /// Runs the program on words between spaces, and on further arguments.
  private func output(
    _ words: String, _ more: [String] = [], status: KinshipProgram.ExitStatus = .success
  ) async throws -> String {
    let console = RecordedConsole()
    let program = InspectProgram(console: console, files: try await ExampleFamily.disk())
    let found = program.run(words.split(separator: " ").map(String.init) + more)
    #expect(found == status, "\(console.complaints)")
    return console.output + console.complaints.map { $0 + "\n" }.joined()
  }

  @Test func `show describes a store`() async throws {
    #expect(
      try await output("show /store") == #"""
        store /store
          size         644 bytes
          segments     1, 1
          coder        compact
          last commit  1
          records      6
          in use       213 bytes
          not in use   431 bytes

          type    version  records  bytes
          Person        1        4    153
          Place         1        2     60

        """#)
  }

  @Test func `show describes a snapshot`() async throws {
    #expect(
      try await output("show /d/snapshot") == #"""
        snapshot /d/snapshot
          size             401 bytes
          format           1
          coder            compact
          captured         2027-01-15T08:00:00Z
          cursor           none
          records          6 records
          in order of use  Place:Osborne, Place:Windsor, Person:4, …, Person:1

          type    version  records  bytes  ages
          Person        1        4    117  0.0 to 0.0 s
          Place         1        2     28  0.0 to 0.0 s

        """#)
  }

  @Test func `records print as a table`() async throws {
    #expect(
      try await output("show /store --records Person") == #"""
        id  born  father  mother  name              parts
         1  1819                  Victoria          ["Alexandrina","Victoria"]
         2  1819                  Albert, “Prince”  []
         3  1840       2       1  Vicky             []
         4  1859       9       3  Wilhelm           []
        4 records

        """#)
  }

  @Test(arguments: [100, 80, 40])
  func `a table fits the terminal`(width: Int) {
    var table = TextTable(["id", "name", "father", "mother", "born", "parts"], numbers: [0])
    table.add(["1", String(repeating: "Victoria ", count: 9), "2", "3", "1819", "[]"])
    table.add(["22", "Albert", String(repeating: "x", count: 60), "", "", "[1,2,3,4,5,6,7,8]"])
    let lines = table.text(RecordedConsole(width: width)).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= width })
    #expect(lines.last?.contains("more column") == (width == 40))
  }

  @Test func `records print as lines of JSON`() async throws {
    #expect(
      try await output("show /store --records Person --limit 2 --format jsonl")
        == #"{"type":"Person","version":1,"id":1,"fields":{"born":1819,"id":1,"#
        + #""name":"Victoria","parts":["Alexandrina","Victoria"]}}"# + "\n"
        + #"{"type":"Person","version":1,"id":2,"fields":{"born":1819,"id":2,"#
        + #""name":"Albert, “Prince”","parts":[]}}"# + "\n")
  }

  @Test func `verify accepts a sound store`() async throws {
    #expect(
      try await output("verify /store") == #"""
        6 records, all sound

        """#)
  }

  @Test func `verify reports refs to missing records`() async throws {
    #expect(
      try await output("verify /store", Self.refs, status: .notFound) == """
        /store/0000000001.kinlog:293: error: Person:4: father leads to Person:9, \
        which does not exist.
        6 records, 1 fault

        """)
  }

  @Test func `diff lists the changes`() async throws {
    #expect(
      try await output("diff /store /other", status: .notFound) == #"""
        ~ Person:3
            born: 1840 → nothing
            name: “Vicky” → “Victoria of Prussia”
        - Person:4
        + Person:5
        1 added, 1 removed, 1 changed
          Person.born 1
          Person.name 1

        """#)
  }

  @Test func `diff lists the changes as JSON`() async throws {
    #expect(
      try await output("diff /store /other --json", status: .notFound) == #"""
        {"difference":"changed","type":"Person","id":3,"fields":{"born":{"old":1840},\#
        "name":{"old":"Vicky","new":"Victoria of Prussia"}}}
        {"difference":"removed","type":"Person","id":4}
        {"difference":"added","type":"Person","id":5}
        {"added":1,"removed":1,"changed":1,"properties":{"Person.born":1,"Person.name":1}}

        """#)
  }

  @Test func `a store and its snapshot do not differ`() async throws {
    #expect(
      try await output("diff /store /d/snapshot") == #"""
        0 added, 0 removed, 0 changed

        """#)
  }

  @Test func `a tree prints as text`() async throws {
    #expect(
      try await output("tree /store Person:4", Self.refs) == #"""
        Person:4 “Wilhelm”
        ├─ father Person:9 (missing)
        └─ mother Person:3 “Vicky”
           ├─ father Person:2 “Albert, “Prince””
           └─ mother Person:1 “Victoria”

        """#)
  }

  @Test func `a tree may have one generation`() async throws {
    #expect(
      try await output("tree /store Person:4 --generations 1", Self.refs) == #"""
        Person:4 “Wilhelm”
        ├─ father Person:9 (missing)
        └─ mother Person:3 “Vicky” …

        """#)
  }

  @Test func `a tree prints for Graphviz`() async throws {
    #expect(
      try await output("tree /store Person:4 --format dot", Self.refs) == #"""
        digraph {
          node [shape=box];
          n0 [label="Person:4 “Wilhelm”"];
          n1 [label="Person:9 (missing)", style=dashed];
          n2 [label="Person:3 “Vicky”"];
          n3 [label="Person:2 “Albert, “Prince””"];
          n4 [label="Person:1 “Victoria”"];
          n0 -> n1 [label="father"];
          n0 -> n2 [label="mother"];
          n2 -> n3 [label="father"];
          n2 -> n4 [label="mother"];
        }

        """#)
  }

  @Test func `a tree prints for Mermaid`() async throws {
    #expect(
      try await output("tree /store Person:4 --format mermaid", Self.refs) == #"""
        graph TD
          n0["Person:4 “Wilhelm”"]
          n1["Person:9 (missing)"]
          n2["Person:3 “Vicky”"]
          n3["Person:2 “Albert, “Prince””"]
          n4["Person:1 “Victoria”"]
          n0 -- "father" --> n1
          n0 -- "mother" --> n2
          n2 -- "father" --> n3
          n2 -- "mother" --> n4

        """#)
  }

  @Test func `a store prints as JSON`() async throws {
    let person = #"["id","name","born","father","mother","parts"]"#
    #expect(
      try await output("show /store --json")
        == #"{"path":"/store","kind":"store","bytes":644,"liveBytes":213,"lastCommit":1,"#
        + #""uncommittedBytes":0,"segments":[{"number":1,"bytes":385,"liveBytes":213,"#
        + #""coder":"compact","commits":[1,1]}],"records":6,"types":[{"name":"Person","#
        + #""version":1,"records":4,"bytes":153,"fields":\#(person)},{"name":"Place","#
        + #""version":1,"records":2,"bytes":60,"fields":["id","area"]}],"damage":[]}"# + "\n")
  }

  @Test func `a snapshot prints as JSON`() async throws {
    let person = #"["id","name","born","father","mother","parts"]"#
    #expect(
      try await output("show /d/snapshot --json")
        == #"{"path":"/d/snapshot","kind":"snapshot","bytes":401,"format":1,"coder":"compact","#
        + #""captured":1800000000000,"recordsWhenCaptured":6,"cursor":null,"leases":[],"#
        + #""missing":[],"answers":0,"records":6,"#
        + #""types":[{"name":"Person","version":1,"records":4,"#
        + #""bytes":117,"fields":\#(person),"ages":[0.0,0.0]},{"name":"Place","version":1,"#
        + #""records":2,"bytes":28,"fields":["id","area"],"ages":[0.0,0.0]}],"damage":[]}"#
        + "\n")
  }

  @Test func `records print as comma-separated values`() async throws {
    let lines = [
      "id,born,father,mother,name,parts",
      #"1,1819,,,Victoria,"[""Alexandrina"",""Victoria""]""#,
      #"2,1819,,,"Albert, “Prince”",[]"#, "3,1840,2,1,Vicky,[]",
    ]
    let found = try await output(
      "show /store --records Person --format csv --where", ["born < 1850"])
    #expect(found == lines.map { $0 + "\r\n" }.joined())
  }

  @Test func `records of a snapshot have ages`() async throws {
    #expect(
      try await output("show /d/snapshot --records Place --format jsonl")
        == #"{"type":"Place","version":1,"id":"Osborne","age":0.0,"fields":{"id":"Osborne"}}"#
        + "\n" + #"{"type":"Place","version":1,"id":"Windsor","age":0.0,"#
        + #""fields":{"area":1.5,"id":"Windsor"}}"# + "\n")
  }

  @Test func `copies equal their source`() async throws {
    let disk = try await ExampleFamily.disk()
    let before = disk.files(in: "/other")
    for (path, copy) in [("/other", "/copy"), ("/d/snapshot", "/d/copy")] {
      for command in ["compact", "salvage"] {
        let target = "\(copy)-\(command)"
        let (status, console) = run(command, path, "--to", target, in: disk)
        #expect(status == .success)
        #expect(console.output == "6 records written to \(target)\n")
        #expect(run("diff", path, target, in: disk).status == .success)
        #expect(run("verify", target, in: disk).console.output == "6 records, all sound\n")
        // Nothing is replaced.
        #expect(run(command, path, "--to", target, in: disk).status == .cannotWrite)
      }
    }
    #expect(disk.files(in: "/other") == before)
    let (_, console) = run("show", "/copy-compact", in: disk)
    #expect(console.output.contains("last commit  1\n"))
  }

  @Test func `an export equals the records shown`() async throws {
    let disk = try await ExampleFamily.disk()
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    for format in ["jsonl", "csv"] {
      let url = directory.appending(path: "persons.\(format)")
      let path = url.path(percentEncoded: false)
      let words = ["--records", "Person", "--where", "mother is null"]
      let (status, console) = run(
        "export", "/store", "--to", path, words[0], words[1], words[2], words[3], in: disk)
      #expect(status == .success)
      #expect(console.output == "2 records written to \(path)\n")
      let shown = run(
        "show", "/store", "--format", format, words[0], words[1], words[2], words[3], in: disk)
      #expect(try String(contentsOf: url, encoding: .utf8) == shown.console.output)
      let again = run("export", "/store", "--to", path, "--records", "Person", in: disk)
      #expect(again.status == .cannotWrite)
    }
  }

  /// After any failed system call, a complete copy exists or none.
  @Test(arguments: ["/other", "/d/snapshot"])
  func `a failed copy leaves nothing behind`(path: String) async throws {
    let example = try await ExampleFamily.disk()
    var (call, isOver, failures) = (1, false, 0)
    while !isOver {
      let disk = example.copy()
      let before = (disk.directories, disk.files(in: "/d"))
      let files = FaultyFiles(
        disk, fault: .once(.error(SystemErrorCode.deviceFailed), at: call))
      let (status, _) = run("salvage", path, "--to", "/d/copy", in: files)
      isOver = files.failed == 0
      let isThere = disk.directories != before.0 || disk.files(in: "/d") != before.1
      if status != .success { failures += 1 }
      if isThere { #expect(run("diff", path, "/d/copy", in: disk).status == .success) }
      #expect(disk.directories.union(disk.files(in: "/d").keys).allSatisfy { !$0.contains("tmp") })
      call += 1
    }
    #expect(failures > 10)
  }

  /// By the system's files, and beside a store that has them locked.
  @Test func `an open store can be inspected`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try await FileStore(at: directory, schema: GraphSchema(ExampleFamily.Person.self))
    try await store.apply(ChangeSet(inserting: ExampleFamily.persons))
    let (status, console) = run("verify", directory.path(percentEncoded: false))
    #expect(status == .success)
    #expect(console.output == "4 records, all sound\n")
    try await store.apply(ChangeSet(deleting: ExampleFamily.persons))
    #expect(
      run("verify", directory.path(percentEncoded: false)).console.output
        == "0 records, all sound\n")
    try await store.close()
  }

  /// A commit that another program is just writing is not visible yet.
  @Test func `an incomplete commit is not damage`() async throws {
    let disk = try await ExampleFamily.disk()
    let name = "0000000001.kinlog"
    let bytes = try #require(disk.files(in: "/store")[name])
    let later = try #require(disk.files(in: "/other")[name])
    #expect(later.count > bytes.count + 20)
    disk.put(bytes + later[bytes.count..<bytes.count + 20], name, in: "/store")
    let (status, console) = run("verify", "/store", in: disk)
    #expect(status == .success)
    #expect(
      console.output == "/store/\(name):\(bytes.count): note: 20 bytes of a commit that is not "
        + "written to its end, or not yet\n6 records, all sound\n")
    #expect(run("show", "/store", in: disk).console.output.contains("uncommitted"))
  }

  @Test func `refs are found in lists and within properties`() throws {
    var inner = RecordFields()
    inner["doctor"] = 7
    var record = RecordFields()
    record["children"] = [3, 5, .null]
    record["cases"] = [.fields(inner), .fields(inner)]
    func ids(_ text: String) throws -> [FieldValue] {
      try #require(InspectedRef(text)).ids(in: .fields(record))
    }
    #expect(try ids("Person.children=Person") == [3, 5])
    #expect(try ids("Person.cases.doctor=Person") == [7, 7])
    #expect(try ids("Person.cases.nurse=Person") == [])
    #expect(try ids("Person.father=Person") == [])
  }

  @Test func `renamed types count as one`() async throws {
    let disk = try await ExampleFamily.disk()
    let renamed = run("show", "/store", "--renamed", "Place=Person", in: disk)
    #expect(renamed.console.output.contains("Person        1        6    213\n"))
  }

  @Test(arguments: [
    ("", "Name a command: show"), ("look", "There is no command “look”"),
    ("show", "show takes a path"), ("show a b", "show takes a path"),
    ("diff a", "diff takes two paths"), ("show a --deep", "There is no option “--deep”"),
    ("show a --where x=1", "--where is about the records of a type"),
    ("show a --limit 3", "--limit is about the records of a type"),
    ("show a --records P --limit x", "--limit takes a number"),
    ("show a --records P --format dot", "show has the formats table, jsonl, csv"),
    ("show a --records P --json", "--json is called --format jsonl"),
    ("show a --records P --where x", "--where: there should be =,"),
    ("shwo a", "“shwo”. Did you mean show? The commands are show, verify, "),
    ("show a --recrods P", "There is no option “--recrods”. Did you mean --records?"),
    ("show a --to b", "show takes no --to"), ("show a --json=3", "--json takes no value"),
    ("verify a --ref father", "--ref takes a property and its target"),
    ("verify a --renamed b", "--renamed takes the old name and the new one"),
    ("export a", "export needs --to"), ("export a --to b.txt", "end in .jsonl or .csv"),
    ("export a --to b.csv", "holds the records of one type"),
    ("salvage a --to a", "would overwrite a"), ("tree a", "tree takes a path and a record"),
    ("tree /store Person:1", "does not say which properties are refs"),
  ])
  func `wrong arguments are rejected`(words: String, message: String) async throws {
    let found = try await output(words, status: .usage)
    #expect(found.contains(message), "\(found)")
    #expect(found.hasSuffix("\nTry kinship-inspect --help.\n"))
  }

  @Test func `an error in a condition is pointed at`() async throws {
    let found = try await output(
      "show /store --records Person --where", ["name starst with \"V\""], status: .usage)
    #expect(
      found == """
        kinship-inspect: error: --where: there should be =, !=, <, <=, >, >=, starts with, \
        contains or is null.
          name starst with "V"
               ^
        Try kinship-inspect --help.

        """)
  }

  @Test func `a missing type or path is named`() async throws {
    #expect(
      try await output("show /store --records Human", status: .notFound)
        == "/store: error: There is no type “Human” in it. The types are Person, Place.\n")
    #expect(
      try await output("verify /store --ref Human.father=Person", status: .usage)
        == "/store: error: There is no type “Human” in it. The types are Person, Place.\n")
    #expect(
      try await output("show /store --records Persn", status: .notFound)
        == "/store: error: There is no type “Persn” in it. Did you mean Person? The types are "
        + "Person, Place.\n")
    #expect(
      try await output("tree /store Person:7", Self.refs, status: .notFound)
        == "/store: error: There is no record “Person:7” in it. Name one by its type and id, such "
        + "as Person:42.\n")
    #expect(try await output("show /nowhere", status: .unreadable).contains("cannot be read"))
    let disk = try await ExampleFamily.disk()
    disk.put(Array("Not one of Kinship's files.".utf8), "text", in: "/d")
    let (status, console) = run("show", "/d/text", in: disk)
    #expect(status == .badData)
    #expect(console.complaints[0].contains("neither a snapshot nor the directory of a store"))
    #expect(run("show", "/d", in: disk).status == .badData)
  }

  @Test(arguments: [
    ("verify /store --ref Person.fathr=Person", "“fathr” of Person"),
    ("verify /d/snapshot --ref Person.born=Place --ref Person.fathr=Place", "“fathr” of Person"),
    ("tree /store Person:4 --ref Person.fathr=Person", "“fathr” of Person"),
    ("show /store --records Person --where fathr=1", "“fathr” of Person"),
    ("show /d/snapshot --records Person --where not(born=1)and(fathr=1)", "“fathr” of Person"),
    ("export /store --records Person --to /nowhere/a.jsonl --where fathr=1", "“fathr” of Person"),
    ("export /store --to /nowhere/a.jsonl --where fathr=1", "“fathr”"),
  ])
  func `properties that no record has are rejected`(words: String, property: String) async throws {
    let found = try await output(words, status: .usage)
    #expect(
      found.contains(
        ": error: There is no property \(property). Did you mean father? The properties are id, "),
      "\(found)")
    #expect(found.contains(", father, mother, name, parts.\n"), "\(found)")
  }

  @Test(arguments: [
    "show /store --records Place --where area=7", "verify /store --ref Place.area=Place",
    "verify /store --ref Person.parts=Person",
  ])
  func `properties that are declared or in some record are known`(words: String) async throws {
    let console = RecordedConsole()
    let program = InspectProgram(console: console, files: try await ExampleFamily.disk())
    #expect(program.run(words.split(separator: " ").map(String.init)) != .usage)
    #expect(console.complaints == [])
  }

  @Test(
    arguments: [
      ("a", nil), ("a.x", nil), ("b.c", nil), ("b.c.d", "“d” of T.b.c."), ("list.x", nil),
      ("c", "“c” of T. The properties are id, a, b, list."),
      ("b.d", "“d” of T.b. The properties are c."),
      ("list.y", "“y” of T.list. The properties are x."),
    ] as [(String, String?)])
  func `properties within others are looked up in the records`(path: String, message: String?)
    throws
  {
    let disk = SimulatedDisk()
    let lines = [#""a":null"#, #""b":{"c":1}"#, #""list":[{"x":1}]"#].enumerated().map {
      #"{"type":"T","version":1,"id":\#($0),"fields":{"id":\#($0),\#($1)}}"#
    }
    disk.put(Array(lines.joined(separator: "\n").utf8), "file.jsonl", in: "/")
    #expect(run("import", "/file.jsonl", "--to", "/new", in: disk).status == .success)
    let (status, console) = run("verify", "/new", "--ref", "T.\(path)=T", in: disk)
    if let message {
      #expect(status == .usage)
      #expect(console.complaints == ["/new: error: There is no property \(message)"])
    } else {
      #expect(status != .usage)
    }
  }

  @Test func `help names every command and option`() async throws {
    let help = try await output("--help")
    for command in Options.Command.allCases {
      #expect(help.contains("\n  \(command.rawValue) "))
      for option in command.options { #expect(help.contains(option)) }
    }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let examples = help.split(separator: "\n").filter { $0.hasPrefix("  kinship-inspect ") }
    #expect(examples.count == 3)
  }

  @Test func `the version is that of the library`() async throws {
    #expect(try await output("--version") == "kinship-inspect \(version)\n")
  }
}
