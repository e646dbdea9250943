import KinshipTestSupport
import Testing

/// Each file that a tutorial shows belongs to a program in `Tests/Tutorials`, where it is compiled
/// and run.
///
/// It may be compiled there under a condition, and with stand-ins for modules that not every system
/// has: it has the same lines, and the same imports.
struct TutorialTests {
  private static let shown = Result {
    try RepositoryFile.all(in: TutorialCode.folder, ending: [".swift", ".txt"])
  }

  /// The code that a tutorial shows, by name, without the package manifest.
  private static func code(of tutorial: String) throws -> [String: TutorialCode] {
    try shown.get().reduce(into: [:]) { code, file in
      let name = file.name.trimmingPrefix("\(tutorial)-")
      guard name.count < file.name.count, name.hasSuffix(".swift"), name != "Package.swift" else {
        return
      }
      code[String(name)] = TutorialCode(file)
    }
  }

  @Test func `a tutorial shows every file of its folder and no other`() throws {
    let folder = "Sources/Kinship/Kinship.docc/Tutorials"
    let tutorials = try RepositoryFile.all(in: folder, ending: [".tutorial"])
    let named = tutorials.flatMap { tutorial in
      tutorial.text.matches(of: /[fF]ile: "([^"]+)"/).map { String($0.1) }
    }
    #expect(tutorials.count == TutorialCode.names.count + 1)
    #expect(Set(named) == Set(try Self.shown.get().map(\.name)))
  }

  /// The program of a tutorial has the last version of each file that the tutorial shows, or that
  /// of the tutorial before, and no other file.
  @Test func `every file of a tutorial is compiled`() throws {
    var latest: [String: TutorialCode] = [:]
    for tutorial in TutorialCode.names {
      let code = try Self.code(of: tutorial)
      let (parts, whole) = (
        code.filter { $0.key.contains("-") }, code.filter { !$0.key.contains("-") }
      )
      latest.merge(whole) { $1 }
      let files = try RepositoryFile.all(in: "Tests/Tutorials/\(tutorial)")
        .filter { $0.name != "StandIns.swift" }
      #expect(Set(files.map(\.name)) == Set(latest.keys), "\(tutorial)")
      for file in files {
        let (compiled, shown) = (TutorialCode(file), latest[file.name])
        #expect(compiled.lines == shown?.lines, "\(file.path) is not what is shown")
        #expect(compiled.imports == shown?.imports, "\(file.path) imports something else")
      }
      // The beginning of a program is a program.
      for (name, part) in parts {
        let main = try #require(whole["main.swift"])
        #expect(name.hasPrefix("main-"))
        #expect(main.lines.starts(with: part.lines), "\(tutorial)-\(name) is no beginning of it")
        #expect(main.imports == part.imports)
      }
    }
  }

  @Test func `the tutorial's in-memory program prints the output shown`() async throws {
    let program = try TutorialProgram("Memory")
    #expect(try await program.run() == program.shown().printed)
  }
}
