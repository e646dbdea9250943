#if SQLite
  import Foundation
  import KinshipTesting
  import KinshipProgram
  import KinshipTestTraits
  import Testing

  @testable import family_tree

  /// With a snapshot the program prints the same as without, whatever has happened to the store and
  /// its snapshots.
  @Suite(.dedicatedThreads)
  struct SnapshotHistoryTests {
    @Test(arguments: try Effort().seeds(24))
    func `random histories with snapshots stay correct`(seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        let (path, snapshot) = (file + ".store", file + ".warm")
        let cold = [file, "--store", "sqlite:\(path)"]
        var older: [Data] = []
        for step in 0..<20 {
          let capacity = ["1", "9", "500", "500"].randomElement(using: &random) ?? ""
          let warm = cold + ["--snapshot", snapshot, "--capacity", capacity]
          let person = "I\(Int.random(in: 1...6, using: &random))"
          let edit = [
            "rename \(person) N\(step) /Lee/", "rename \(person) M\(step) /Lee/",
            "rename \(person) K\(step) /Lee/", "delete \(person)", "delete \(person)\nundo",
          ].randomElement(using: &random)
          switch Int.random(in: 0..<8, using: &random) {
          case 0, 1: _ = await shell(cold, edit ?? "")
          case 2, 3: _ = await shell(warm, edit ?? "")
          case 4, 5:
            // An earlier snapshot is put back.
            if let data = older.randomElement(using: &random) {
              try data.write(to: URL(filePath: snapshot))
            }
          default:
            // It is imported again.
            if FileAccess.exists(path) { try FileManager.default.removeItem(atPath: path) }
          }
          let question = ["--find", "lee"]
          let expected = await run(cold + question)
          let found = await run(warm + question)
          #expect(expected.status == .success)
          #expect(found.status == .success)
          #expect(found.console.output == expected.console.output)
          older.append(try Data(contentsOf: URL(filePath: snapshot)))
        }
      }
    }
  }
#endif
