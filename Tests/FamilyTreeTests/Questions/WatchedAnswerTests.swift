import KinshipProgram
import KinshipTestTraits
import Testing

@testable import family_tree

/// What the shell says of an answer that is watched, over memory and every store.
@Suite(.dedicatedThreads)
struct WatchedAnswerTests {
  private func outputs(of file: String, _ commands: String) async -> [String] {
    var outputs = [await shell([file], commands).console.output]
    for kind in StoreKind.allCases {
      let store = ["--store", kind.argument("\(file).\(kind)"), "--capacity", "3"]
      outputs.append(await shell([file] + store, commands).console.output)
    }
    return outputs
  }

  @Test func whoComesGoesChangesAndMoves() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { file in
      let commands = """
        watch where surname=lee sort name first 3
        rename I1 Zach /Lee/
        rename I4 Hugo /Lee/
        rename I4 Hugh /Bell/
        undo
        """
      for output in await outputs(of: file, commands) {
        #expect(
          output == """
            watching q1: 3 persons
            q1          1 Ann Lee @I1@
            q1          2 Hugh Lee @I4@
            q1          3 John Lee @I2@
            changed  Zach Lee @I1@: name Ann Lee → Zach Lee
            q1 left     1 Ann Lee @I1@
            q1 joined   3 Mary Lee @I3@
            changed  Hugo Lee @I4@: name Hugh Lee → Hugo Lee
            q1 changed  1 Hugo Lee @I4@: name Hugh Lee → Hugo Lee
            changed  Hugh Bell @I4@: name Hugo Lee → Hugh Bell
            q1 left     1 Hugo Lee @I4@
            q1 joined   3 Owen Lee @I5@
            changed  Hugo Lee @I4@: name Hugh Bell → Hugo Lee
            q1 left     3 Owen Lee @I5@
            q1 joined   1 Hugo Lee @I4@

            """)
      }
      let moved = "watch where name=zo\nwatch where surname=lee sort -name\nrename I6 A /Lee/"
      for output in await outputs(of: file, moved) {
        #expect(
          output.hasSuffix(
            """
            changed  A Lee @I6@: name Zoë Lee → A Lee
            q1 left     1 Zoë Lee @I6@
            q2 moved    1 → 6 Zoë Lee @I6@
            q2 changed  6 A Lee @I6@: name Zoë Lee → A Lee

            """))
      }
    }
  }

  /// Many edits, all of which are taken back, say the same over every store.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func randomEdits(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    func pick(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
    var commands = [
      "watch where surname=lee sort -name first 4", "watch where place=leeds sort born",
      "watch where born=1870..1902",
    ]
    for _ in 0..<25 {
      let who = "I\(Int.random(in: 1...8, using: &random))"
      commands.append(
        pick([
          "rename \(who) \(pick(["A", "M", "Z"])) /\(pick(["Lee", "LEE", "Bell"]))/",
          "delete \(who)", "add-child F1 \(pick(["B", "Y"])) /Lee/", "undo", "redo",
        ]))
    }
    try await withTemporaryPath("small.ged", holding: smallFamily) { file in
      let outputs = await outputs(of: file, commands.joined(separator: "\n"))
      #expect(outputs[0].contains("q1 "))
      for output in outputs { #expect(output == outputs[0], "\(commands)") }
    }
  }
}
