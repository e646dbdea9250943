import Foundation
import KinshipProgram
import KinshipTestTraits
import Testing

@testable import family_tree

@Suite(.dedicatedThreads)
struct FamilyTreeProgramTests {
  @Test func `a person is shown with ancestors`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let (status, console) = await run(path, "--ancestors", "3")
      #expect(status == .success)
      #expect(console.complaints == [])
      #expect(
        console.output == """
          Ann Lee (1902–1980) @I1@
            born          2 Feb 1902, Leeds, England
            died          1980
            father        John Lee (b. c. 1870) @I2@
            mother        Mary Lee @I3@

          Ancestors
          Ann Lee (1902–1980) @I1@
          ├─ father John Lee (b. c. 1870) @I2@
          │  └─ father Hugh Lee @I4@
          │     └─ mother Zoë Lee (d. bef. 1850) @I6@
          └─ mother Mary Lee @I3@
             └─ father Owen Lee @I5@
                └─ mother Zoë Lee (d. bef. 1850) @I6@ see above

          """)
      let card = await run(path, "--person", "zoe", "--ancestors", "0")
      #expect(
        card.console.output.hasPrefix(
          """
          Zoë Lee (d. bef. 1850) @I6@
            died          before 1850
            family        @F4@
            child         Hugh Lee @I4@
            child         Owen Lee @I5@

          """))
    }
  }

  @Test func `a mark shows that more generations follow`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let console = await run(path, "--ancestors", "1").console
      #expect(console.output.hasSuffix("└─ mother Mary Lee @I3@ …\n"))
    }
  }

  @Test func `find ignores case and accents`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let found = await run(path, "--find", "ZOE l")
      #expect(found.console.output == "Zoë Lee (d. bef. 1850) @I6@\n1 individual\n")
      #expect(found.status == .success)

      let nobody = await run(path, "--find", "Zack")
      #expect(nobody.status == .notFound)
      #expect(
        nobody.console.complaints == [
          "family-tree: error: No person fulfils all conditions. Leave one out, or try other words."
        ])
    }
  }

  @Test(arguments: ["@I3@", "I3", "Mary", "mary lee"])
  func `a person is chosen by xref or name`(who: String) async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let console = await run(path, "--person", who, "--ancestors", "0").console
      #expect(console.output.hasPrefix("Mary Lee @I3@\n"))
    }
  }

  @Test func `an ambiguous name lists the candidates`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let (status, console) = await run(path, "--person", "lee")
      #expect(status == .notFound)
      let complaint = console.complaints.first
      #expect(
        complaint?.contains(
          "“lee” is the name of several persons. Choose one by its id:\n  Ann Lee @I1@") == true)
    }
  }

  @Test func `the summary describes a small file`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let console = await run(path, "--summary").console
      let figures = """
          5 distinct ancestors along 6 paths, 5 of them within 10 generations; \
        the deepest line is 3 generations long
        """
      #expect(
        console.output == """
          6 individuals, 4 families, 5 events, 2 places

          Most ancestors: Ann Lee @I1@
          \(figures)

          Most paths to ancestors: Ann Lee @I1@
          \(figures)

          Deepest line: Ann Lee @I1@
          \(figures)

          """)
    }
  }

  @Test func `a small capacity costs loads and loses nothing`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let whole = await run(path, "--ancestors", "3").console.output
      let (_, console) = await run(
        path, "--ancestors", "3", "--capacity", "1", "--stats")
      #expect(console.output.hasPrefix(whole))
      #expect(console.output.contains("in memory                  1 of at most 1\n"))
      #expect(!console.output.contains("evictions                  0\n"))
    }
  }

  @Test func `the plan of an answer is learned`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let plain = await run(path, "--ancestors", "2").console.output
      let (status, console) = await run(path, "--ancestors", "2", "--learn")
      #expect(status == .success)
      #expect(console.output.hasPrefix(plain + "\nPlan\n  Plan<Person>.following("))
      #expect(console.output.contains("\n  store calls "))
      let summary = await run(path, "--summary", "--learn").console.output
      #expect(summary.contains("\n  records read "))
    }
  }

  @Test func `a report page shows the cache at work`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let plain = await run(path, "--ancestors", "2").console.output
      let (status, console) = await run(
        path, "--ancestors", "2", "--report", path + ".html")
      #expect(status == .success && console.output == plain)
      let page = try String(contentsOfFile: path + ".html", encoding: .utf8)
      #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<td>fetch</td><td>Person</td>"))
      let (failure, _) = await run(path, "--report", path + "/no/such/directory.html")
      #expect(failure == .cannotWrite)
    }
  }

  @Test(arguments: [
    ("", ": error: The file is empty. Choose a GEDCOM file."),
    (
      "hello",
      ":1: error: This is not a GEDCOM file, because no line reads like `0 HEAD`. Choose another "
        + "file."
    ),
    ("0 HEAD\n0 TRLR\n", ": error: There are no individuals in it. Choose another file."),
  ])
  func `a file without a genealogy is bad data`(text: String, complaint: String) async throws {
    try await withTemporaryPath("bad.ged", holding: text) { path in
      let (status, console) = await run(path)
      #expect(status == .badData)
      #expect(console.complaints == [path + complaint])
    }
  }

  @Test func `a file that cannot be read or written is an error`() async throws {
    let missing = await run("/nowhere/file.ged")
    #expect(missing.status == .unreadable)
    #expect(
      missing.console.complaints
        == [
          "/nowhere/file.ged: error: It cannot be read: No such file or directory. Check the path."
        ])
    #expect(await run("/").status == .unreadable)
    #expect(await run("--report", "/nowhere/page.html").status == .cannotWrite)
    #expect(await run("--bogus").status == .usage)
  }

  @Test func `damage is reported by line and the rest shown`() async throws {
    let damaged = smallFamily.replacingOccurrences(of: "1 SEX F\n", with: "1 SEX F\nrubbish\n")
    try await withTemporaryPath("damaged.ged", holding: damaged) { path in
      let (status, console) = await run(path, "--ancestors", "0")
      #expect(status == .success)
      #expect(console.complaints.count == 3)
      #expect(console.complaints.first?.hasPrefix("\(path):8: warning: ") == true)
    }
  }

  @Test func `a person may be their own ancestor`() async throws {
    try await withTemporaryPath("circle.ged", holding: ownAncestor) { path in
      let (status, console) = await run(path, "--ancestors", "all")
      #expect(status == .success)
      #expect(
        console.output.contains(
          """
          Odd Circle @I1@
          └─ father Even Circle @I2@
             └─ father Odd Circle @I1@ their own ancestor, see above

          """))
      let summary = await run(path, "--summary").console.output
      #expect(summary.contains("2 individuals among their own ancestors"))
    }
  }

  @Test func `a parent missing from the file is named`() async throws {
    let text =
      "0 HEAD\n0 @I1@ INDI\n1 NAME Ann\n1 FAMC @F1@\n0 @F1@ FAM\n1 HUSB @I9@\n1 CHIL @I1@\n0 TRLR"
    try await withTemporaryPath("dangling.ged", holding: text) { path in
      let console = await run(path, "--ancestors", "4").console
      #expect(console.output.hasSuffix("└─ father @I9@ is not in the file\n"))
    }
  }

  @Test func `a foster family is named outside the pedigree`() async throws {
    let text = """
      0 HEAD
      0 @I1@ INDI
      1 NAME Ann
      1 FAMC @F1@
      2 PEDI foster
      0 @I2@ INDI
      1 NAME Bob
      1 FAMS @F1@
      0 @F1@ FAM
      1 HUSB @I2@
      1 CHIL @I1@
      0 TRLR
      """
    try await withTemporaryPath("foster.ged", holding: text) { path in
      let console = await run(path, "--ancestors", "4").console
      #expect(console.complaints == [])
      #expect(
        console.output == """
          Ann @I1@
            also child of Bob @I2@

          Ancestors
          Ann @I1@

          """)
    }
  }

  @Test func `a run without a file uses the sample genealogy`() async {
    let (status, console) = await run("--ancestors", "4")
    #expect(status == .success)
    #expect(console.output.contains(" see above\n"))
    #expect(await run("--ancestors", "4").console.output == console.output)
  }

  @Test func `the first run shows a pedigree, its cost and a command that works`() async throws {
    let (status, console) = await run()
    #expect(status == .success && console.complaints == [])
    let parts = console.output.split(separator: "\nCost of the pedigree", maxSplits: 1)
    #expect(String(parts[0]) == (await run("--ancestors", "4")).console.output)
    #expect(
      parts[0].contains(
        """
        Ancestors
        Zuzana Jäger (1894–1945) @I160@
        ├─ father Tomáš Jäger (1863–1947) @I130@
        │  ├─ father Matthias Jäger (1833–1910) @I110@

        """))
    // Times differ from run to run, so the test checks their shape only.
    let shape =
      #/
      (,\ debug\ build)?\n
      \ +cold\ +warm\n
      \ \ store\ calls\ +[1-9]\d*\ +0\n
      \ \ records\ loaded\ +[1-9]\d*\ +0\n
      \ \ time\ +[\d,]+\ µs\ +[\d,]+\ µs\n
      \n
      try\ next:\ swift\ run\ family-tree\ (?<arguments>[^\n]+)\n
      /#
    let cost = try #require(parts.last?.wholeMatch(of: shape))
    let next = await run(cost.arguments.split(separator: " ").map(String.init))
    #expect(next.status == .success && next.console.complaints == [])
    #expect(next.console.output.hasSuffix(" individuals\n"))
  }

  @Test func `a file without options gets the answer of the first run`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let (status, console) = await run(path)
      #expect(status == .success && console.complaints == [])
      let drawing = await run(path, "--ancestors", "4").console.output
      #expect(console.output.hasPrefix(drawing + "\nCost of the pedigree"))
      #expect(console.output.hasSuffix("\ntry next: swift run family-tree --help\n"))
      #expect(await run("--help").status == .success)
    }
  }

  @Test(arguments: [["--stats"], ["--capacity", "9"], ["--ancestors", "1"], ["--summary"]])
  func `an option leaves out the cost of the first run`(arguments: [String]) async {
    #expect(!(await run(arguments)).console.output.contains("try next:"))
  }

  @Test func `help prints the help text`() async {
    let (status, console) = await run("--help", "nowhere.ged")
    #expect(status == .success)
    #expect(console.output == helpText)
    let lines = helpText.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.count { $0.hasPrefix("  ") && $0.contains("family-tree ") } == 3)
  }

  @Test func `the version is that of the library`() async throws {
    #expect(await run("--version").console.output == "family-tree \(version)\n")
    let notes = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()  // FamilyTreeTests
      .deletingLastPathComponent().deletingLastPathComponent()  // the package
      .appending(path: "Sources/Kinship/Kinship.docc/Release-notes.md")
    let text = try String(contentsOf: notes, encoding: .utf8)
    #expect(text.firstMatch(of: /\n### ([0-9.]+)/)?.1.description == version)
  }

  @Test func `an output that is closed ends the program quietly`() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      close(ends[0])
      #expect(dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO)
      let status = await FamilyTreeProgram(console: StandardConsole()).run(["--summary"])
      exit(status.rawValue)
    }
  }

  @Test(.needsRoyalFile) func `the program summarises the royal families`() async {
    let (status, console) = await run(RoyalFile.path, "--summary", "--capacity", "500")
    #expect(status == .success)
    #expect(console.complaints == [])
    let output = console.output
    #expect(output.contains("3,010 individuals, 1,422 families"))
    #expect(output.contains("Most ancestors: William Arthur Philip Windsor @I115@\n  598 distinct"))
    #expect(
      output.contains(
        """
        Most paths to ancestors: Alexia Oldenburg @I609@
          490 distinct ancestors along 74,467 paths, 144 of them within 10 generations
        """))
    #expect(output.contains("Deepest line: Peter of Yugoslavia @I879@\n"))
    #expect(output.contains("the deepest line is 79 generations long"))
  }
}
