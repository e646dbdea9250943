import KinshipProgram

@testable import family_tree

/// A shell that is open from one command to the next, while others are too.
actor OpenShell {
  nonisolated let console = RecordedConsole()
  private var shell: Shell

  init(_ store: String) async throws {
    let program = FamilyTreeProgram(console: console)
    var archive = try await program.archive(Options(["--store", store, "--shell"]))
    try await archive.follow()
    shell = Shell(archive, program)
  }

  /// Returns the shell's output for some commands.
  func answer(_ commands: String) async throws -> String {
    let before = console.output
    // A structure that is being mutated cannot be asked for anything else.
    var shell = shell
    _ = try await shell.run(scriptedInput(commands))
    self.shell = shell
    return String(console.output.dropFirst(before.count))
  }

  func end() async throws {
    await shell.end()
    try await shell.archive.close()
  }
}
