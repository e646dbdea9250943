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
      #expect(console.prompts == 0)
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

  @Test func showAndFind() async throws {
    #expect(
      try await answers("show mary lee 1\nfind ZOE") == """
        Mary Lee @I3@
          father        Owen Lee @I5@
          partner       John Lee (b. c. 1870) @I2@
          married       1 May 1900, York
          child         Ann Lee (1902–1980) @I1@
          family        @F1@

        Ancestors
        Mary Lee @I3@
        └─ father Owen Lee @I5@ …
        Zoë Lee (d. bef. 1850) @I6@
        1 individual

        """)
  }

  @Test func renameUndoAndRedo() async throws {
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

  @Test func aPedigreeIsWatched() async throws {
    #expect(
      try await answers(
        "watch I1 1\nrename I2 Jack /Lee/\nrename I6 Zara\ndelete I3\nundo\nunwatch I1\nundo")
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
          changed  Zoë Lee @I6@: name Zara → Zoë Lee

          """)
    let (complaints, status) = try await complaints("unwatch I2\nwatch nobody")
    #expect(complaints.count == 2 && status == .notFound)
  }

  @Test func aChildOfAFamily() async throws {
    #expect(
      try await answers("add-child F1 Tom /Lee/ M\nshow I7\nfind tom\nundo") == """
        added    Tom Lee @I7@
        changed  family @F1@: with child @I7@
        Tom Lee @I7@
          father        John Lee (b. c. 1870) @I2@
          mother        Mary Lee @I3@
        Tom Lee @I7@
        1 individual
        changed  family @F1@: without child @I7@
        deleted  Tom Lee @I7@

        """)
  }

  @Test func aChildOfAPersonWithoutFamily() async throws {
    #expect(
      try await answers("add-child Ann Tom\nadd-child I1 Tim") == """
        added    Tom @I7@
        added    family @F5@
        changed  Ann Lee @I1@: with family @F5@
        added    Tim @I8@
        changed  family @F5@: with child @I8@

        """)
  }

  @Test func previewSaysWhatDeleteDoes() async throws {
    #expect(
      try await answers("preview I2\ndelete I2\nshow I1\nundo\nchanges") == """
        deletes  John Lee @I2@
        deletes  1 event
        changes  Ann Lee @I1@: loses father
        changes  family @F1@: loses husband
        changes  family @F2@: loses children
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

  @Test func aFamilyGoesWithItsLastMember() async throws {
    #expect(
      try await answers("add-child I1 Tom\ndelete I7\npreview I1\ndelete I1\nundo") == """
        added    Tom @I7@
        added    family @F5@
        changed  Ann Lee @I1@: with family @F5@
        changed  family @F5@: without child @I7@
        deleted  Tom @I7@
        deletes  Ann Lee @I1@
        deletes  family @F5@
        deletes  2 events
        changes  family @F1@: loses children
        changed  family @F1@: without child @I1@
        deleted  Ann Lee @I1@
        deleted  family @F5@
        deleted  2 events
        added    Ann Lee @I1@
        added    family @F5@
        added    2 events
        changed  family @F1@: with child @I1@

        """)
  }

  @Test func aFamilyWithChildrenStays() async throws {
    let (complaints, status) = try await complaints("preview F4\ndelete F4")
    #expect(status == .notFound)
    #expect(
      complaints == [
        """
        standard input:1: error: family @F4@ cannot be deleted as long as there are
          Hugh Lee @I4@
          Owen Lee @I5@
        """,
        """
        standard input:2: error: family @F4@ cannot be deleted as long as there are
          Hugh Lee @I4@
          Owen Lee @I5@
        """,
      ])
  }

  @Test func mistakesDoNotEndIt() async throws {
    let (complaints, status) = try await complaints(
      "dance\nshow nobody\nshow lee\nundo\nredo\nrename I1\ndelete F9\nfind zack\n# \"")
    #expect(status == .usage)
    #expect(
      complaints.map { $0.prefix { $0 != "\n" } } == [
        "standard input:1: error: there is no command “dance”; try help",
        "standard input:2: error: nobody is called “nobody”",
        "standard input:3: error: “lee” is the name of several:",
        "standard input:4: error: there is nothing to undo",
        "standard input:5: error: there is nothing to redo",
        "standard input:6: error: it takes more: rename ID NEW NAME",
        "standard input:7: error: nobody is called “F9”",
        "standard input:8: error: nobody is like that",
      ])
  }

  @Test func aTerminalIsPromptedAndEndsWell() async {
    let (status, console) = await shell(isTerminal: true, "show nobody\nhelp\nquit\nhelp")
    #expect(status == .success)
    #expect(console.prompts == 3)
    #expect(console.complaints == ["family-tree: error: nobody is called “nobody”"])
    #expect(console.output == ShellCommand.helpText)
  }

  @Test func everybodyOfTheSampleIsDeletedAndComesBack() async throws {
    let genealogy = SampleGenealogy.make()
    let deletions = genealogy.persons.map { "delete \($0.id)" }
    let undoings = deletions.map { _ in "undo" }.prefix(100)
    let commands = (deletions.suffix(100) + undoings + ["changes"]).joined(separator: "\n")
    let (status, console) = await shell([], commands)
    #expect(status == .success)
    #expect(console.output.hasSuffix("\nnothing has changed\n"))
  }

  @Test(.needsRoyalFile) func theRoyalFamilies() async {
    let commands = "preview I1\ndelete I1\nundo\nchanges\nshow I1\n"
    let (status, console) = await shell([RoyalFile.path, "--capacity", "100"], commands)
    #expect(status == .success)
    #expect(console.complaints == [])
    let preview = console.output.components(separatedBy: "changed")[0]
    #expect(
      preview == """
        deletes  Victoria Hanover @I1@
        deletes  4 events
        changes  Victoria Adelaide Mary @I3@: loses mother
        changes  Edward VII Wettin @I4@: loses mother
        changes  Alice Maud Mary @I5@: loses mother
        changes  Alfred Ernest Albert @I6@: loses mother
        changes  Helena Augusta Victoria @I7@: loses mother
        changes  Louise Caroline Alberta @I8@: loses mother
        changes  Arthur William Patrick @I9@: loses mother
        changes  Leopold George Duncan @I10@: loses mother
        changes  Beatrice Mary Victoria @I11@: loses mother
        changes  family @F1@: loses wife
        changes  family @F42@: loses children

        """)
    #expect(console.output.contains("\nnothing has changed\nVictoria Hanover (1819–1901) @I1@\n"))
    #expect(console.output.contains("\n  child         Beatrice Mary Victoria (1857–1944) @I11@\n"))
  }
}
