import KinshipProgram
import Testing

@testable import family_tree

struct OptionsTests {
  @Test func `every option is parsed`() throws {
    let options = try Options([
      "a.ged", "--person", "I1", "--ancestors=3", "--find", "Ann Lee",
      "--capacity", "10", "--summary", "--stats", "--shell", "--learn", "--report", "r.html",
    ])
    #expect(options.file == "a.ged")
    #expect(options.person == "I1")
    #expect(options.ancestors == 3)
    #expect(try Options(["--ancestors", "all"]).ancestors == Options.allGenerations)
    #expect(options.question.conditions == [.name(["Ann", "Lee"])])
    #expect(options.capacity == 10)
    #expect(options.report == "r.html")
    #expect(options.summary && options.stats && options.shell && options.learn)
    #expect(!options.help)
  }

  @Test func `an argument after two dashes is a file`() throws {
    #expect(try Options(["--", "--odd.ged"]).file == "--odd.ged")
  }

  @Test(arguments: [
    (["--bogus"], "there is no option “--bogus”"),
    (["--ancestor", "3"], "there is no option “--ancestor”. Did you mean --ancestors?"),
    (["--summaryy"], "there is no option “--summaryy”. Did you mean --summary?"),
    (["--ancestors"], "--ancestors needs a number of generations, or all"),
    (["--find", "--stats"], "--find needs a name"),
    (["--ancestors", "-1"], "--ancestors takes a number of generations, or all, not “-1”"),
    (["--ancestors", "x"], "--ancestors takes a number of generations, or all, not “x”"),
    (["--ancestors="], "--ancestors takes a number of generations, or all, not “”"),
    (
      ["--ancestors", "99999999999999999999"],
      "--ancestors takes a number of generations, or all, not “99999999999999999999”"
    ),
    (["--capacity", "0"], "--capacity takes a number of records from 1, not “0”"),
    (["--stats=yes"], "--stats takes no value"),
    (["a.ged", "b.ged"], "the program reads one file at a time. Name a.ged or b.ged"),
    (["-x"], "there is no option “-x”"), (["-"], "there is no option “-”"),
  ])
  func `misuse of an option is an error`(arguments: [String], message: String) {
    #expect(
      throws: CommandLineMistake(message)
    ) {
      try Options(arguments)
    }
  }

  @Test func `a question is parsed`() throws {
    let options = try Options([
      "--where", "name=van der Lee", "--where=born=-44..", "--where", "name=ann lee",
      "--where", "place= a=b", "--sort", "surname,-born", "--page-size=5",
    ])
    #expect(
      options.question.conditions == [
        .name(["van", "der", "Lee"]), .born(-44...9_999), .name(["ann", "lee"]), .place(" a=b"),
      ])
    #expect(
      options.question.order == [
        PersonOrder(key: .surname), PersonOrder(key: .born, isDescending: true),
      ])
    #expect(options.pageSize == 5)
    #expect(options.listsPersons && !options.showsPerson)
    #expect(try Options(["--where", "born=1900"]).question.conditions == [.born(1_900...1_900)])
    #expect(try Options(["--sort", "-name"]).question.order.first?.isDescending == true)
  }

  @Test(arguments: [
    "", "=", "name", "surname=Lee", "born", "born=", "born=x", "born=1900..1800", "born=1..2..3",
    "born=99999999999999999999", "born=10000", "born=18O0..", "name=", "place=",
    "age=3", "Name=Lee", "born =1900",
  ])
  func `a malformed condition is an error`(text: String) {
    let message = "--where takes \(PersonCondition.usage), not “\(text)”"
    #expect(
      throws: CommandLineMistake(message)
    ) {
      try Options(["--where", text])
    }
  }

  @Test(arguments: ["", ",", "name,", "died", "--", "-", "Name", "born desc", "+born"])
  func `a malformed order is an error`(text: String) {
    let message = "--sort takes \(PersonOrder.usage), not “\(text)”"
    #expect(
      throws: CommandLineMistake(message)
    ) {
      try Options(["--sort=\(text)"])
    }
  }

  @Test(arguments: [
    (["--where"], "--where needs \(PersonCondition.usage)"),
    (["--sort"], "--sort needs \(PersonOrder.usage)"),
    (["--page-size", "10001"], "--page-size takes a number from 1 to 10,000, not “10001”"),
    (["--after", "x"], "--after takes what a page has ended with, not “x”"),
    (["--after", "\u{7F}\"\\"], "--after takes what a page has ended with, not “\"\\”"),
    (["--page"], "there is no option “--page”. Did you mean --page-size?"),
  ])
  func `misuse of a question is an error`(arguments: [String], message: String) {
    #expect(
      throws: CommandLineMistake(message)
    ) {
      try Options(arguments)
    }
  }

  @Test func `a store is parsed`() throws {
    let options = try Options(["--store", "a"])
    #expect(options.store == .directory("a"))
    #expect(options.recordsInMemory == 500)
    #expect(try Options(["--store=a", "--capacity", "9"]).recordsInMemory == 9)
    #expect(try Options(["a"]).recordsInMemory == .max)
  }

  @Test(arguments: [
    (["--store"], "--store needs DIR, sqlite:FILE or postgresql:CONNINFO"),
    (["--store="], "--store takes DIR, sqlite:FILE or postgresql:CONNINFO, not “”"),
    (
      ["a", "--store", "a"],
      "the path a cannot serve two purposes. Name another one for one of them"
    ),
    (["b", "--store=b"], "the path b cannot serve two purposes. Name another one for one of them"),
    (
      ["--store=sqlite:b", "--snapshot=b"],
      "the path b cannot serve two purposes. Name another one for one of them"
    ),
    (["a", "--snapshot"], "--snapshot needs a file"),
    (
      ["a", "--store", "sqlite:b", "--snapshot", "a"],
      "the path a cannot serve two purposes. Name another one for one of them"
    ),
    (
      ["--snapshot", "b"],
      "--snapshot needs a --store that is a database, because a database knows what has changed "
        + "since"
    ),
  ])
  func `misuse of a store is an error`(arguments: [String], message: String) {
    #expect(
      throws: CommandLineMistake(message)
    ) {
      try Options(arguments)
    }
  }

  @Test func `a database is parsed`() throws {
    let options = try Options(["--store", "sqlite:a.sqlite", "--snapshot", "b"])
    #expect(options.snapshot == "b")
    #expect(options.store == .database("a.sqlite"))
    #expect(options.recordsInMemory == 500)
  }

  @Test(arguments: ["", "sqlite:", "sqlite::memory:"])
  func `misuse of a database is an error`(store: String) {
    let message = "--store takes \(StoreLocation.usage), not “\(store)”"
    #expect(throws: CommandLineMistake(message)) {
      try Options(["--store", store])
    }
  }

  #if !SQLite
    @Test func `a database needs a build with SQLite`() async {
      let (status, console) = await run("--store", "sqlite:a.sqlite")
      #expect(status == .usage)
      #expect(console.complaints.first?.contains("--traits SQLite family-tree") == true)
    }
  #endif

  #if !PostgreSQL
    @Test func `a server needs a build with PostgreSQL`() async {
      let (status, console) = await run("--store", "postgresql:dbname=music password=s3cret")
      #expect(status == .usage)
      #expect(console.complaints.first?.contains("--traits PostgreSQL family-tree") == true)
      #expect(console.complaints.first?.contains("s3cret") == false)
    }
  #endif

  @Test(arguments: [
    ([], true), (["--stats"], true), (["--person", "I1"], true),
    (["--summary", "--ancestors", "2"], true), (["--summary"], false),
    (["--summary", "--person", "I1"], true), (["--find", "x"], false),
    (["--shell"], false), (["--shell", "--person", "I1"], true),
    (["--sort", "born"], false), (["--page-size", "1"], false),
    (["--where", "born=1900", "--person", "I1"], true),
  ])
  func `a person is shown unless another answer is requested`(arguments: [String], isShown: Bool)
    throws
  {
    let options = try Options(arguments)
    #expect(options.showsPerson == isShown)
  }
}
