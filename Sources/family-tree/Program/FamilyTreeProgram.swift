import Kinship
import KinshipProgram

/// The program: from its arguments to its exit status.
struct FamilyTreeProgram {
  let console: any Console
  /// Where the commands of the shell come from.
  var input = LineSource.standardInput

  var style: TextStyle { console.style }

  func run(_ arguments: [String]) async -> ExitStatus {
    do {
      return try await perform(Options(arguments))
    } catch {
      return tell(error)
    }
  }

  /// Says why something could not be done.
  ///
  /// - Returns: How the program ends if it ends with that.
  @discardableResult
  func tell(_ error: any Error) -> ExitStatus {
    // The reader has seen enough: `family-tree | head`.
    if case OutputError.closed = error { return .success }
    let failure = Failure(error)
    console.complain(failure.description)
    return failure.status
  }

  private func perform(_ options: Options) async throws -> ExitStatus {
    if options.help {
      try console.write(helpText)
      return .success
    }
    var archive = try await archive(options)
    let status: ExitStatus
    do {
      if let path = options.snapshot { try await restore(archive, from: path) }
      try await archive.follow()
      status = try await answer(options, from: archive)
      if let path = options.report {
        try FileAccess.write(await archive.cache.report().html, to: path)
      }
      if let path = options.snapshot { try await save(archive, to: path) }
    } catch {
      // The first failure is how the program ends.
      do { try await archive.close() } catch { tell(error) }
      throw error
    }
    try await archive.close()
    return status
  }

  private func answer(_ options: Options, from archive: Archive) async throws -> ExitStatus {
    guard options.learn else { return try await answerQuestions(options, from: archive) }
    let (status, plan) = try await archive.cache.learningPlan {
      try await answerQuestions(options, from: archive)
    }
    try heading("Plan")
    try console.write(CostText(style: style).draw(plan))
    return status
  }

  private func answerQuestions(
    _ options: Options, from archive: Archive
  ) async throws -> ExitStatus {
    var status = ExitStatus.success
    if options.listsPersons { try await list(options.question, options, in: archive) }
    if options.summary { try await summarize(archive, options) }
    if options.asksNothing {
      try await introduce(archive, options)
    } else if options.showsPerson {
      try await show(
        person(in: archive, options),
        ancestors: options.ancestors
          ?? (options.descendants == nil ? Options.defaultAncestors : nil),
        descendants: options.descendants, in: archive)
    }
    if options.shell { status = try await runShell(on: archive) }
    if options.stats {
      try heading("Cost")
      try console.write(
        CostText(style: style).draw(
          archive.cache.statistics, capacity: options.recordsInMemory))
    }
    return status
  }

  private func runShell(on archive: Archive) async throws -> ExitStatus {
    var shell = Shell(archive, self)
    do {
      let status = try await shell.run(input)
      await shell.end()
      return status
    } catch {
      await shell.end()
      throw error
    }
  }

  func heading(_ text: String) throws { try console.write("\n\(style.bold(text))\n") }
}
