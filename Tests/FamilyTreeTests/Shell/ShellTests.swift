import Foundation
import KinshipProgram
import KinshipTestTraits
import Testing

@testable import family_tree

@Suite(.dedicatedThreads)
struct ShellTests {
  /// The output of commands on the small family, without any complaint.
  private func answers(_ commands: String) async throws -> String {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let (status, console) = await shell([path], commands)
      #expect(status == .success)
      #expect(console.complaints == [])
      #expect(!console.output.contains("> "))
      return console.output
    }
  }

  private func complaints(_ commands: String) async throws -> ([String], KinshipProgram.ExitStatus)
  {
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let (status, console) = await shell([path], commands)
      return (console.complaints, status)
    }
  }

  @Test func `show and find answer`() async throws {
    #expect(
      try await answers("show mary lee 1\nfind ZOE") == """
        Mary Lee @I3@
          father        Owen Lee @I5@
          family        @F1@
          partner       John Lee (b. c. 1870) @I2@
          married       1 May 1900, York
          child         Ann Lee (1902–1980) @I1@

        Ancestors
        Mary Lee @I3@
        └─ father Owen Lee @I5@ …
        Zoë Lee (d. bef. 1850) @I6@
        1 individual

        """)
  }

  @Test func `rename can be undone and redone`() async throws {
    #expect(
      try await answers("rename I1 Anna /Lee/\nundo\nredo\nchanges\nundo\nchanges") == """
        changed  Anna Lee @I1@: name Ann Lee → Anna Lee
        changed  Ann Lee @I1@: name Anna Lee → Ann Lee
        changed  Anna Lee @I1@: name Ann Lee → Anna Lee
        changed  Anna Lee @I1@: name Ann Lee → Anna Lee
        changed  Ann Lee @I1@: name Anna Lee → Ann Lee
        nothing has changed

        """)
  }

  @Test func `watch prints changes in a pedigree`() async throws {
    #expect(
      try await answers(
        "watch I1 1\nrename I2 Jack /Lee/\nrename I6 Zara\ndelete I3\nundo")
          == """
          watching @I1@: 3 persons
          changed  Jack Lee @I2@: name John Lee → Jack Lee
          @I1@ changed  Jack Lee @I2@: name John Lee → Jack Lee
          changed  Zara @I6@: name Zoë Lee → Zara
          changed  Ann Lee @I1@: mother @I3@ → none
          changed  family @F1@: wife @I3@ → none
          changed  family @F3@: without child @I3@
          deleted  Mary Lee @I3@
          @I1@ changed  Ann Lee @I1@: mother @I3@ → none
          @I1@ left     Mary Lee @I3@
          added    Mary Lee @I3@
          changed  Ann Lee @I1@: mother none → @I3@
          changed  family @F1@: wife none → @I3@
          changed  family @F3@: with child @I3@
          @I1@ joined   Mary Lee @I3@
          @I1@ changed  Ann Lee @I1@: mother none → @I3@

          """)
    let (complaints, status) = try await complaints("watch nobody")
    #expect(complaints.count == 1 && status == .notFound)
  }

  @Test func `relatives lose their refs to a deleted person`() async throws {
    #expect(
      try await answers("delete I2\nshow I1\nundo\nchanges") == """
        changed  Ann Lee @I1@: father @I2@ → none
        changed  family @F1@: husband @I2@ → none
        changed  family @F2@: without child @I2@
        deleted  John Lee @I2@
        deleted  1 event
        Ann Lee (1902–1980) @I1@
          born          2 Feb 1902, Leeds, England
          died          1980
          mother        Mary Lee @I3@
        added    John Lee @I2@
        added    1 event
        changed  Ann Lee @I1@: father none → @I2@
        changed  family @F1@: husband none → @I2@
        changed  family @F2@: with child @I2@
        nothing has changed

        """)
  }

  @Test func `a family with children is not deleted`() async throws {
    let (complaints, status) = try await complaints("delete F4")
    #expect(status == .notFound)
    #expect(
      complaints == [
        "standard input:1: error: Family(@F4@) cannot be deleted, because relationships with "
          + "the delete rule .deny refer to it from Person(@I4@), Person(@I5@). Delete these "
          + "records first, or change their refs."
      ])
    #expect(
      try await answers("delete I4\ndelete I5\ndelete F4\nundo").hasSuffix(
        """
        changed  Zoë Lee @I6@: without family @F4@
        deleted  family @F4@
        added    family @F4@
        changed  Zoë Lee @I6@: with family @F4@

        """))
  }

  @Test func `a mistake does not end the shell`() async throws {
    let (complaints, status) = try await complaints(
      "dance\nshow nobody\nshow lee\nundo\nredo\nrename I1\ndelete F9\nfind zack\n\n# x\nundoo"
        + "\nundo 2\ndelete")
    #expect(status == .usage)
    let firstLines = complaints.map { String($0.prefix { $0 != "\n" }) }
    let expected: [String] = [
      "standard input:1: error: There is no command “dance”. Try help.",
      "standard input:2: error: No person is called “nobody”. Name a part of the name, or an id "
        + "such as I1.",
      "standard input:3: error: “lee” is the name of several persons. Choose one by its id:",
      "standard input:4: error: There is no edit to undo.",
      "standard input:5: error: There is no edit to redo.",
      "standard input:6: error: The command is written: rename WHO NEW NAME.",
      "standard input:7: error: No person is called “F9”. Name a part of the name, or an id such "
        + "as I1.",
      "standard input:8: error: No person fulfils all conditions. Leave one out, or try other "
        + "words.",
      "standard input:11: error: There is no command “undoo”. Did you mean undo?",
      "standard input:12: error: The command is written: undo.",
      "standard input:13: error: The command is written: delete WHO.",
    ]
    #expect(firstLines == expected)
  }

  @Test func `every command is in the help`() {
    for (usage, _) in Shell.commands {
      #expect(helpText.contains(usage.prefix { $0 != " " }))
      #expect(Shell.helpText.contains(usage))
    }
  }

  @Test func `a terminal gets prompts and a successful end`() async {
    let (status, console) = await shell(isTerminal: true, "show nobody\nhelp\nquit\nhelp")
    #expect(status == .success)
    #expect(
      console.complaints == [
        "family-tree: error: No person is called “nobody”. Name a part of the name, or an id such "
          + "as I1."
      ])
    #expect(console.output == "> > \(Shell.helpText)> ")
  }

  @Test func `show understands what delete understands`() async throws {
    #expect(
      try await answers("show F1\nshow @F4@") == """
        Family @F1@
          partner       John Lee (b. c. 1870) @I2@
          partner       Mary Lee @I3@
          married       1 May 1900, York
          child         Ann Lee (1902–1980) @I1@
        Family @F4@
          partner       Zoë Lee (d. bef. 1850) @I6@
          child         Hugh Lee @I4@
          child         Owen Lee @I5@

        """)
  }

  @Test(arguments: ["I6", "@I6@", "Zoë Lee", "ZOE LEE"])
  func `an exact name or id is deleted without a question`(who: String) async throws {
    #expect(
      try await answers("delete \(who)").hasSuffix("deleted  Zoë Lee @I6@\ndeleted  1 event\n"))
  }

  @Test func `a part of a name is deleted only after a question`() async throws {
    let (complaints, status) = try await complaints("delete zoe")
    #expect(status == .notFound)
    #expect(
      complaints == [
        "standard input:1: error: “zoe” is only a part of a name. To delete Zoë Lee @I6@, give the "
          + "id."
      ])
    try await withTemporaryPath("small.ged", holding: smallFamily) { path in
      let refused = await shell([path], isTerminal: true, "delete zoe\nn\ndelete zoe\n\nquit")
      let question = "> Delete Zoë Lee @I6@? [y/N] "
      let nothing = "\(question)nothing has changed\n"
      #expect(refused.console.output == nothing + nothing + "> ")
      for answer in ["y", "YES"] {
        let console = await shell([path], isTerminal: true, "delete zoe\n\(answer)").console
        #expect(console.output.hasPrefix(question))
        #expect(console.output.hasSuffix("deleted  Zoë Lee @I6@\ndeleted  1 event\n> "))
      }
    }
  }

  @Test func `everyone in the sample can be deleted and restored`() async throws {
    let genealogy = SampleGenealogy.make()
    let deletions = genealogy.persons.map { "delete \($0.id)" }
    let undoings = deletions.map { _ in "undo" }.prefix(100)
    let commands = (deletions.suffix(100) + undoings + ["changes"]).joined(separator: "\n")
    let (status, console) = await shell([], commands)
    #expect(status == .success)
    #expect(console.output.hasSuffix("\nnothing has changed\n"))
  }

  @Test(.needsRoyalFile) func `the royal families can be edited`() async {
    let commands = "delete I1\nundo\nchanges\nshow I1\n"
    let (status, console) = await shell([RoyalFile.path, "--capacity", "100"], commands)
    #expect(status == .success)
    #expect(console.complaints == [])
    #expect(
      console.output.hasPrefix(
        """
        changed  Victoria Adelaide Mary @I3@: mother @I1@ → none
        changed  Edward VII Wettin @I4@: mother @I1@ → none
        changed  Alice Maud Mary @I5@: mother @I1@ → none
        changed  Alfred Ernest Albert @I6@: mother @I1@ → none
        changed  Helena Augusta Victoria @I7@: mother @I1@ → none
        changed  Louise Caroline Alberta @I8@: mother @I1@ → none
        changed  Arthur William Patrick @I9@: mother @I1@ → none
        changed  Leopold George Duncan @I10@: mother @I1@ → none
        changed  Beatrice Mary Victoria @I11@: mother @I1@ → none
        changed  family @F1@: wife @I1@ → none
        changed  family @F42@: without child @I1@
        deleted  Victoria Hanover @I1@
        deleted  4 events

        """))
    #expect(console.output.contains("\nnothing has changed\nVictoria Hanover (1819–1901) @I1@\n"))
    #expect(console.output.contains("\n  child         Beatrice Mary Victoria (1857–1944) @I11@\n"))
  }
}
