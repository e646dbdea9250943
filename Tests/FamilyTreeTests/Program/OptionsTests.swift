import Testing

@testable import family_tree

@Suite struct OptionsTests {
  @Test func everything() throws {
    let options = try Options([
      "a.ged", "--person", "I1", "--ancestors=3", "--descendants", "all", "--find", "Ann Lee",
      "--svg", "a.svg", "--dot=b.dot", "--capacity", "10", "--summary", "--stats",
      "--shell",
    ])
    #expect(options.file == "a.ged")
    #expect(options.person == "I1")
    #expect(options.ancestors == 3)
    #expect(options.descendants == Options.allGenerations)
    #expect(options.find == "Ann Lee")
    #expect(options.svg == "a.svg")
    #expect(options.dot == "b.dot")
    #expect(options.capacity == 10)
    #expect(options.summary && options.stats && options.shell)
    #expect(!options.help)
  }

  @Test func whatFollowsTwoDashesIsAFile() throws {
    #expect(try Options(["--", "--odd.ged"]).file == "--odd.ged")
  }

  @Test(arguments: [
    (["--bogus"], "there is no option “--bogus”"),
    (["--ancestor", "3"], "there is no option “--ancestor”; did you mean --ancestors?"),
    (["--summaryy"], "there is no option “--summaryy”; did you mean --summary?"),
    (["--ancestors"], "--ancestors needs a number, or all"),
    (["--find", "--stats"], "--find needs a name"),
    (["--ancestors", "-1"], "--ancestors takes a number of generations, or all; not “-1”"),
    (["--ancestors", "x"], "--ancestors takes a number of generations, or all; not “x”"),
    (["--descendants="], "--descendants takes a number of generations, or all; not “”"),
    (
      ["--descendants", "99999999999999999999"],
      "--descendants takes a number of generations, or all; not “99999999999999999999”"
    ),
    (["--capacity", "0"], "--capacity takes a number of records from 1; not “0”"),
    (["--stats=yes"], "--stats takes no value"),
    (["a.ged", "b.ged"], "one file at a time: a.ged or b.ged"),
    (["a.ged", "--svg", "a.ged"], "the chart would be written over a.ged"),
    (["-x"], "there is no option “-x”"), (["-"], "there is no option “-”"),
  ])
  func misuse(arguments: [String], message: String) {
    #expect(throws: Failure(status: .usage, message: message + "\nTry family-tree --help.")) {
      try Options(arguments)
    }
  }

  @Test func aStore() throws {
    let options = try Options(["--store", "a", "--snapshot", "b"])
    #expect(options.store == .directory("a"))
    #expect(options.snapshot == "b")
    #expect(options.recordsInMemory == 500)
    #expect(try Options(["--store=a", "--capacity", "9"]).recordsInMemory == 9)
    #expect(try Options(["a", "--snapshot", "b"]).recordsInMemory == .max)
  }

  @Test(arguments: [
    (["--store"], "--store needs DIR or sqlite:FILE"),
    (["--store="], "--store takes DIR or sqlite:FILE; not “”"),
    (["a", "--store", "a"], "a cannot be the store and something else"),
    (["--svg=b", "--store=b"], "b cannot be the store and something else"),
    (["--store=b", "--snapshot=b"], "b cannot be the store and something else"),
    (["a", "--snapshot"], "--snapshot needs a file"),
    (["a", "--snapshot", "a"], "a cannot be the snapshot and something else"),
    (["a", "--dot", "b", "--snapshot", "b"], "b cannot be the snapshot and something else"),
    (["--snapshot", "b"], "--snapshot needs a GEDCOM file or --store"),
  ])
  func misuseOfAStore(arguments: [String], message: String) {
    #expect(throws: Failure(status: .usage, message: message + "\nTry family-tree --help.")) {
      try Options(arguments)
    }
  }

  #if SQLite
    @Test func aDatabase() throws {
      let options = try Options(["--store", "sqlite:a.sqlite"])
      #expect(options.store == .database("a.sqlite"))
      #expect(options.recordsInMemory == 500)
    }

    @Test(arguments: ["sqlite:", "sqlite::memory:"]) func misuseOfADatabase(store: String) {
      let message = "--store takes DIR or sqlite:FILE; not “\(store)”\nTry family-tree --help."
      #expect(throws: Failure(status: .usage, message: message)) {
        try Options(["--store", store])
      }
    }
  #else
    @Test func aDatabaseNeedsAnotherBuild() {
      let message = """
        --store sqlite:a.sqlite needs SQLite, which this program is built without; name a \
        directory, or build it with: swift run --traits SQLite family-tree --store sqlite:a.sqlite
        Try family-tree --help.
        """
      #expect(throws: Failure(status: .usage, message: message)) {
        try Options(["--store", "sqlite:a.sqlite"])
      }
    }
  #endif

  @Test(arguments: [
    ([], true), (["--stats"], true), (["--person", "I1", "--svg", "a.svg"], true),
    (["--summary", "--ancestors", "2"], true), (["--summary"], false),
    (["--summary", "--person", "I1"], false), (["--find", "x"], false),
    (["--svg", "a.svg"], false), (["--shell"], false), (["--shell", "--person", "I1"], true),
  ])
  func aPersonIsShownUnlessSomethingElseIsAskedFor(arguments: [String], isShown: Bool) throws {
    let options = try Options(arguments)
    #expect(options.showsPerson == isShown)
  }
}
