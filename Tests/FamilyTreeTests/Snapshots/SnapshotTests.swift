#if SQLite
  import Foundation
  import KinshipProgram
  import Testing

  @testable import family_tree

  /// The first look of a run from a snapshot is warm and never outdated.
  struct SnapshotTests {
    /// Runs a body with a store that contains the small family, and the path of a snapshot.
    private func withStore(
      _ body: (_ store: [String], _ snapshot: String) async throws -> Void
    ) async throws {
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        let store = ["--store", "sqlite:\(file).store"]
        _ = await run([file] + store)
        try await body(store, file + ".warm")
      }
    }

    @Test func `the next run is warm`() async throws {
      try await withStore { store, snapshot in
        let warm = store + ["--snapshot", snapshot, "--person", "I1", "--stats"]
        let first = await run(warm)
        #expect(first.console.complaints == ["\(snapshot): 11 records saved"])
        #expect(!first.console.output.contains("\n  store calls                0\n"))
        let second = await run(warm)
        #expect(second.status == .success)
        #expect(
          second.console.complaints.first == "\(snapshot): 11 records restored")
        #expect(second.console.complaints.last == "\(snapshot): 11 records saved")
        #expect(second.console.output.contains("\n  store calls                0\n"))
        #expect(second.console.output.contains("\n  evictions                  0\n"))
        let card = try #require(first.console.output.split(separator: "\nCost").first)
        #expect(second.console.output.hasPrefix(card))

        let small = await run(warm + ["--capacity", "2"])
        #expect(small.console.complaints.first?.hasSuffix(": 2 records restored") == true)
        #expect(small.console.output.hasPrefix(card))
      }
    }

    @Test func `edits made since the snapshot are shown`() async throws {
      try await withStore { store, snapshot in
        let warm = store + ["--snapshot", snapshot]
        _ = await run(warm)
        _ = await shell(store, "rename I1 Anna /Lee/")
        let after = await run(warm)
        #expect(after.console.output.hasPrefix("Anna Lee "))
        #expect(
          after.console.complaints == [
            "\(snapshot): 11 records restored", "\(snapshot): 11 records saved",
          ])
      }
    }

    @Test func `the shell saves its edits in the snapshot`() async throws {
      try await withStore { store, snapshot in
        let warm = store + ["--snapshot", snapshot]
        _ = await shell(warm, "rename I1 Anna /Lee/\ndelete I2\nundo")
        let after = await run(warm)
        #expect(after.console.output == (await run(store)).console.output)
        #expect(after.console.output.hasPrefix("Anna Lee "))
        #expect(after.console.complaints.first?.hasSuffix(" restored") == true)
      }
    }

    @Test func `a snapshot of another store is not used`() async throws {
      try await withTemporaryPath("small.ged", holding: smallFamily) { file in
        let (path, snapshot) = (file + ".store", file + ".warm")
        let warm = [file, "--store", "sqlite:\(path)", "--snapshot", snapshot]
        _ = await shell(warm, "show I1\nrename I1 Anna /Lee/")
        try FileManager.default.removeItem(atPath: path)
        #expect(await run(warm).console.output.hasPrefix("Ann Lee "))
      }
    }

    @Test func `a damaged snapshot means a cold start`() async throws {
      try await withStore { store, snapshot in
        let warm = store + ["--snapshot", snapshot]
        let plain = await run(warm).console.output
        let whole = try Data(contentsOf: URL(filePath: snapshot))
        var refused = 0
        for index in stride(from: 0, to: whole.count, by: 23) {
          var damaged = whole
          damaged[index] ^= 0x10
          try damaged.write(to: URL(filePath: snapshot))
          let (status, console) = await run(warm)
          if status == .unreadable {
            // A file that does not begin as a snapshot may belong to anybody.
            refused += 1
            #expect(try Data(contentsOf: URL(filePath: snapshot)) == damaged)
          } else {
            #expect(console.output == plain)
            #expect(console.complaints.first?.hasSuffix(" It is not used") == true)
            #expect(console.complaints.last == "\(snapshot): 11 records saved")
          }
        }
        #expect(refused <= 1)

        try whole.dropLast().write(to: URL(filePath: snapshot))
        let cut = await run(warm)
        #expect(cut.console.output == plain)
        #expect(cut.console.complaints.first?.contains("\(snapshot) is damaged at byte ") == true)
      }
    }

    @Test func `a file that is not a snapshot is left alone`() async throws {
      try await withStore { store, snapshot in
        let text = Data("Dear diary, this is no snapshot.".utf8)
        try text.write(to: URL(filePath: snapshot))
        let (status, console) = await run(store + ["--snapshot", snapshot])
        #expect(status == .unreadable)
        #expect(console.complaints.first?.hasPrefix("\(snapshot): error: ") == true)
        #expect(try Data(contentsOf: URL(filePath: snapshot)) == text)
      }
    }

    @Test func `a snapshot that cannot be saved is an error after the edits`() async throws {
      try await withStore { store, snapshot in
        let nowhere = "\(snapshot)/nowhere"
        let (status, console) = await shell(store + ["--snapshot", nowhere], "rename I1 Anna")
        #expect(status == .cannotWrite)
        #expect(
          console.complaints.first?.hasPrefix("\(nowhere): error: It cannot be written: ") == true)
        // The edit was made before.
        #expect(await run(store).console.output.hasPrefix("Anna "))
      }
    }
  }
#endif
