import Foundation
import KinshipProgram
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipFileStore
@testable import KinshipInspection
@testable import KinshipTrials
@testable import kinship_inspect

/// An import equals the export.
@Suite(.dedicatedThreads)
struct TextImportTests {
  /// A record for a new file.
  struct Put: Command, CustomStringConvertible {
    let type: String
    let version: Int
    let id: FieldValue
    let age: Int
    let value: FieldValue

    var description: String {
      "Put(\(type) \(version), \(id), \(age), \(value.json))"
    }

    static func random(plain: Bool) -> (inout SplitMix64) -> Put {
      { generator in
        var fields = FieldValue.fields(depth: 2, plain: plain, using: &generator)
        var id = FieldValue.random(depth: 0, plain: plain, using: &generator)
        // NaN is not even equal to itself.
        if id == .null || id.double != nil { id = .integer(Int128(generator.next() % 100)) }
        let hasID = generator.chance(0.9)
        fields["id"] = hasID || plain ? id : nil
        return Put(
          type: ["Person", "A \"b\"\u{301}/~c"].randomElement(using: &generator) ?? "",
          version: Int.random(in: 0...3, using: &generator),
          id: id, age: Int.random(in: 0...50, using: &generator), value: .fields(fields))
      }
    }

    /// The same record without its null values.
    var withoutNull: Put {
      var fields = RecordFields()
      for name in value.fields?.names ?? [] where value.fields?[name] != .null {
        fields[name] = value.fields?[name]
      }
      return Put(type: type, version: version, id: id, age: age, value: .fields(fields))
    }

    /// The record with the id by which it is known.
    func record(isSnapshot: Bool) -> NewRecord {
      var value = value
      if case .fields(var fields) = value, isSnapshot || fields["id"] != nil {
        fields["id"] = id
        value = .fields(fields)
      }
      return NewRecord(
        type: TypeName(name: type, version: version), id: id, age: isSnapshot ? age : 0,
        value: value)
    }
  }

  /// Writes records to a new file.
  ///
  /// Duplicates are left out.
  private static func write(
    _ commands: [Put], to path: String, isSnapshot: Bool, _ coder: any RecordCoder,
    in disk: SimulatedDisk
  ) throws {
    var known: Set<[FieldValue]> = []
    let puts = commands.filter { known.insert([.text($0.type), $0.id]).inserted }
    var new = try RecordImport(
      to: path, as: isSnapshot ? .snapshot(count: puts.count, moment: 1) : .store, coder: coder,
      in: disk)
    for put in puts { try new.add(put.record(isSnapshot: isSnapshot)) }
    try verifyEqual(try new.finish(), puts.count, "written")
  }

  private static func lines(of path: String, in disk: SimulatedDisk) throws -> String {
    let inspection = try Inspection(of: path, in: disk, readsAll: true)
    try verify(inspection.damage.isEmpty, "\(path): \(inspection.damage)")
    return try inspection.records.map { try $0.json($0.value()) + "\n" }.joined()
  }

  /// A value with its types, and the fields in the order of their names.
  private static func description(of value: FieldValue) -> String {
    if let fields = value.fields {
      let texts = fields.names.sorted().map { name in
        "\(name): \(fields[name].map { description(of: $0) } ?? "")"
      }
      return "{\(texts.joined(separator: ", "))}"
    }
    if let list = value.list { return "\(list.map { description(of: $0) })" }
    return "\(value)"
  }

  @Test(arguments: [false, true], [CompactCoder(), JSONCoder()] as [any RecordCoder])
  func `imported lines of JSON equal the exported ones`(isSnapshot: Bool, coder: any RecordCoder)
    throws
  {
    let isJSON = coder.name == "json"
    try Property.check(seeds: 150, steps: 12, generate: Put.random(plain: isJSON)) { commands, _ in
      let disk = SimulatedDisk()
      try Self.write(commands, to: "/old", isSnapshot: isSnapshot, coder, in: disk)
      let lines = try Self.lines(of: "/old", in: disk)
      disk.put(Array(lines.utf8), "file.jsonl", in: "/")
      let (status, console) = run(
        "import", "/file.jsonl", "--to", "/new", "--format", isSnapshot ? "snapshot" : "store",
        "--coder", coder.name, in: disk)
      try verifyEqual(status, .success, console.complaints.joined())
      try verifyEqual(try Self.lines(of: "/new", in: disk), lines, "what came back")
      let (old, new) = (
        try Inspection(of: "/old", in: disk, readsAll: true),
        try Inspection(of: "/new", in: disk, readsAll: true)
      )
      for (one, other) in zip(old.records, new.records) {
        // NaN is not equal to itself.
        try verifyEqual(
          Self.description(of: try other.value()), Self.description(of: try one.value()),
          "a value")
        try verifyEqual(
          other.id.map { Self.description(of: $0) }, one.id.map { Self.description(of: $0) },
          "an id")
        try verifyEqual(other.age, one.age, "an age")
      }
      try verifyEqual(new.types.map(\.id), old.types.map(\.id), "types")
    }
  }

  @Test func `imported tables equal the exported ones byte for byte`() throws {
    try Property.check(seeds: 300, steps: 6, generate: Put.random(plain: false)) { commands, _ in
      let disk = SimulatedDisk()
      // Different ids may look alike, and a column without values is not a column.
      var ids: Set<String> = []
      let persons = commands.filter { $0.type == "Person" && ids.insert($0.id.csv).inserted }
        .map(\.withoutNull)
      try Self.write(persons, to: "/old", isSnapshot: true, CompactCoder(), in: disk)
      func table(_ path: String) throws -> String {
        let (status, console) = run(
          "show", path, "--records", "Person", "--format", "csv", in: disk)
        if status == .notFound { return "" }
        try verifyEqual(status, .success, console.complaints.joined())
        return console.output
      }
      let text = try table("/old")
      // Names of columns may look like each other, or be empty.
      if text.isEmpty || persons.contains(where: { $0.value.fields?[""] != nil }) { return }
      disk.put(Array(text.utf8), "file.csv", in: "/")
      let (status, console) = run(
        "import", "/file.csv", "--to", "/new", "--records", "Person", "--format", "snapshot",
        in: disk)
      try verifyEqual(status, .success, console.complaints.joined() + text)
      try verifyEqual(try table("/new"), text, "what came back")
    }
  }

  @Test func `an import infers the types of a table's columns`() throws {
    let disk = SimulatedDisk()
    let rows = [
      "id,count,share,alive,list,code,note,zip", "1,5,0.5,true,\"[1,2]\",01,,1",
      "2,,3,false,\"{\"\"a\"\":1}\",2,\"\",2", "\"x,\"\"y\"\"\",-7,,,,3,\"two\nlines\",3",
    ]
    disk.put(Array(rows.map { $0 + "\r\n" }.joined().utf8), "t.csv", in: "/")
    let (status, console) = run(
      "import", "/t.csv", "--to", "/new", "--records", "Row", "--record-version", "4", "--text",
      "zip",
      in: disk)
    #expect(status == .success, "\(console.complaints)")
    #expect(console.output == "3 records written to /new\n")
    let (_, shown) = run("show", "/new", "--records", "Row", "--format", "jsonl", in: disk)
    let expected = [
      #""1","fields":{"alive":true,"code":"01","count":5,"id":"1","list":[1,2],"share":0.5,"#
        + #""zip":"1"}}"#,
      #""2","fields":{"alive":false,"code":"2","id":"2","list":{"a":1},"note":"","share":3,"#
        + #""zip":"2"}}"#,
      #""x,\"y\"","fields":{"code":"3","count":-7,"id":"x,\"y\"","note":"two\nlines","#
        + #""zip":"3"}}"#,
    ]
    #expect(
      shown.output == expected.map { #"{"type":"Row","version":4,"id":"# + $0 + "\n" }.joined())
  }

  @Test(arguments: [
    ("jsonl", "[]", "1:1: error: There should be an object in braces"),
    ("jsonl", "\n{\"type\":1}", "2:1: error: The record has no “version”"),
    ("jsonl", "{\"type\":\"é\",}", "1:13: error: There should be a name in quotation marks"),
    ("jsonl", "{\"a\":\"x", "1:6: error: The text that begins here has no end"),
    ("jsonl", "{\"a\":01}", "1:7: error: There should be a comma or a closing brace"),
    ("jsonl", "{\"a\":-}", "1:7: error: There should be a digit"),
    ("jsonl", "{\"a\":1e999}", "1:6: error: The number is too large"),
    ("jsonl", "{\"a\":\"\\x\"}", "1:7: error: A backslash must not stand before this character"),
    ("jsonl", "{\"a\":\"\\ud800\"}", "1:7: error: The escape is one half of a character"),
    ("jsonl", "{\"a\":\"\\u12\"}", "1:7: error: There should be four hexadecimal digits"),
    ("jsonl", "{\"a\":nul}", "1:6: error: There should be a value"),
    ("jsonl", "{\"a\":1} x", "1:9: error: Nothing should follow here"),
    ("jsonl", "{\"a\":1,\"a\":2}", "1:8: error: An object has the same name twice"),
    ("jsonl", "{\"a\":1}", "1:6: error: A record has no “a”. It has type, version, id"),
    ("jsonl", line("", id: "null"), "1:1: error: The record has no id"),
    ("jsonl", line("\"id\":1") + "\n" + line("\"id\":1"), "2:1: error: Person:1 exists twice"),
    ("jsonl", line("\"id\":2"), "1:35: error: The id differs from the one among the fields"),
    ("jsonl", line("", more: ",\"age\":\"x\""), "error: The age should be a number of seconds"),
    ("jsonl", line("", more: ",\"kinds\":{\"/id\":\"uuid\"}"), "One of the values is not there"),
    ("jsonl", line("", more: ",\"kinds\":{\"/id\":\"date\"}"), "should be data, uuid, number"),
    ("jsonl", line("\"a\":0.12345678901234567890123"), "JSON keeps them"),
    ("jsonl", line("\"a\":" + String(repeating: "[", count: 65)), "Values lie more than 64 deep"),
    ("csv", "", "1:1: error: There are no columns"),
    ("csv", "a,b\r\n1,2\r\n", "error: There is no column “id”. The columns are a, b"),
    ("csv", "id,\r\n", "1:4: error: A column has no name"),
    ("csv", "id,a,id\n", "1:6: error: Two columns have the same name"),
    ("csv", "id,a\n1\n", "2:1: error: The row has 1 field, and the first one 2"),
    ("csv", "id,a\n1,x\"y\"\n", "2:4: error: A quotation mark has to begin the field"),
    ("csv", "id,a\n1,\"x\ny\"z\n", "3:3: error: There should be a comma or the end of the row"),
    ("csv", "id,a\n1,\"x\n\n", "2:3: error: The field that begins here has no end"),
    ("csv", "id,a\n,2\n", "2:1: error: The record has no id"),
    ("csv", "id,a\n1,\"x\n\"\n1,2\n", "4:1: error: Person:1 exists twice"),
  ])
  func `an error in an import is pointed at`(format: String, text: String, message: String) throws {
    let disk = SimulatedDisk()
    disk.put(Array(text.utf8), "file.\(format)", in: "/")
    let before = disk.directories
    let type = format == "csv" ? ["--records", "Person"] : []
    for form in ["store", "snapshot"] where form == "store" || !message.hasSuffix("no id") {
      let console = RecordedConsole()
      let program = InspectProgram(console: console, files: disk)
      let status = program.run(
        ["import", "/file.\(format)", "--to", "/new", "--format", form] + type)
      #expect(status == .badData)
      let found = try #require(console.complaints.first)
      #expect(found.hasPrefix("/file.\(format):") && found.contains(message), "\(found)")
      // Nothing is left behind.
      #expect(disk.directories == before)
      #expect(Array(disk.files(in: "/").keys) == ["file.\(format)"])
    }
  }

  @Test func `a snapshot rejects records whose key is not called id`() throws {
    let disk = SimulatedDisk()
    disk.put(Array(Self.line("\"key\":1").utf8), "file.jsonl", in: "/")
    let words = ["import", "/file.jsonl", "--to", "/new", "--format"]
    let console = RecordedConsole()
    let program = InspectProgram(console: console, files: disk)
    #expect(program.run(words + ["snapshot"]) == .badData)
    #expect(
      console.complaints == [
        "/file.jsonl:1:1: error: Person:1 has no field “id”, by which a snapshot knows its "
          + "records: call the field of the key “id”, or make a store, which keeps ids apart."
      ])
    #expect(program.run(words + ["store"]) == .success)
    let (_, shown) = run("show", "/new", "--records", "Person", "--format", "jsonl", in: disk)
    #expect(shown.output == Self.line("\"key\":1") + "\n")
  }

  private static func line(_ fields: String, id: String = "1", more: String = "") -> String {
    #"{"type":"Person","version":1,"id":\#(id),"fields":{\#(fields)}\#(more)}"#
  }

  /// After any failed system call, the complete import exists or nothing.
  @Test(arguments: ["store", "snapshot"])
  func `a failed import leaves nothing behind`(form: String) throws {
    // In several commits, and in several reads.
    let name = String(repeating: "Wilhelmina ", count: 60)
    let lines = (0..<500).map {
      Self.line(#""id":\#($0),"name":"\#(name)\#($0)""#, id: "\($0)") + "\n"
    }.joined()
    var (call, isOver, failed) = (1, false, 0)
    while !isOver {
      let disk = SimulatedDisk()
      disk.put(Array(lines.utf8), "file.jsonl", in: "/")
      let before = disk.directories
      let files = FaultyFiles(
        disk, fault: .once(.error(SystemErrorCode.deviceFailed), at: call))
      let (status, console) = run(
        "import", "/file.jsonl", "--to", "/new", "--format", form, in: files)
      isOver = files.failed == 0
      if status == .success {
        let inspection = try Inspection(of: "/new", in: disk, readsAll: true)
        #expect(inspection.records.count == 500 && inspection.damage.isEmpty)
      } else {
        failed += 1
        #expect([.cannotWrite, .unreadable].contains(status), "\(console.complaints)")
        let isThere = disk.directories != before || disk.files(in: "/").count > 1
        // When the last sync fails, the file already has its name.
        if isThere {
          let inspection = try Inspection(of: "/new", in: disk, readsAll: true)
          #expect(inspection.records.count == 500, "call \(call)")
        }
        #expect(disk.directories.union(disk.files(in: "/").keys).allSatisfy { !$0.contains("tmp") })
      }
      call += 1
    }
    print("Imports to a \(form) of which a call fails: \(failed) of \(call).")
    #expect(failed > 10)
  }

  @Test func `an import replaces no existing file`() throws {
    let disk = SimulatedDisk()
    disk.put(Array(Self.line("\"id\":1").utf8), "file.jsonl", in: "/")
    for form in ["store", "snapshot"] {
      let words = ["import", "/file.jsonl", "--to", "/\(form)", "--format", form]
      let program = InspectProgram(console: RecordedConsole(), files: disk)
      #expect(program.run(words) == .success)
      let before = (disk.files(in: "/"), disk.files(in: "/\(form)"))
      #expect(program.run(words) == .cannotWrite)
      #expect((disk.files(in: "/"), disk.files(in: "/\(form)")) == before)
    }
  }

  /// A program that has the types opens a store that was made without them.
  @Test func `a store with record types opens an import`() async throws {
    let disk = try await ExampleFamily.disk()
    let (_, console) = run("show", "/store", "--records", "Person", "--format", "jsonl", in: disk)
    disk.put(Array(console.output.utf8), "persons.jsonl", in: "/d")
    #expect(run("import", "/d/persons.jsonl", "--to", "/new/", in: disk).status == .success)
    let store = try await FileStore(
      in: disk, at: "/new", schema: GraphSchema(ExampleFamily.Person.self))
    let cache = try GraphCache(for: ExampleFamily.Person.self, store: store)
    for person in ExampleFamily.persons {
      let found = try await cache.resolve(Ref<ExampleFamily.Person>(person.id))
      #expect(found.name == person.name && found.parts == person.parts)
    }
    #expect(run("diff", "/store", "/new", in: disk).console.output.contains("2 removed, 0 changed"))
    try await store.close()
  }

  /// Segments and commits end in between.
  @Test func `many records are imported in chunks`() throws {
    let disk = SimulatedDisk()
    var tuning = LogTuning()
    tuning.largestSegment = 1 << 19
    var new = try RecordImport(
      to: "/new", as: .store, coder: CompactCoder(), in: disk, tuning: tuning)
    let text = String(repeating: "x", count: 1_000)
    for id in 0..<1_500 {
      var fields = RecordFields()
      fields["id"] = .integer(Int128(id))
      // Names that no other record has, and types that occur late.
      fields["f\(id)"] = .text("\(id)\(text)")
      try new.add(
        NewRecord(
          type: TypeName(name: "T\(id / 300)", version: 1), id: fields["id"],
          value: .fields(fields)))
    }
    #expect(try new.finish() == 1_500)
    let inspection = try Inspection(of: "/new", in: disk, readsAll: true)
    #expect(inspection.damage.isEmpty)
    #expect(inspection.types.map(\.count) == [300, 300, 300, 300, 300])
    for (id, record) in inspection.records.enumerated() {
      #expect(record.id?.int == id)
      #expect(try record.value().fields?["f\(id)"] == .text("\(id)\(text)"))
    }
    guard case .store(let facts) = inspection.kind else { return }
    #expect(facts.segments.count == 3 && facts.lastCommit == 6)
  }
}
