import Kinship

/// The program: from its arguments to its exit status.
struct FamilyTreeProgram {
  let console: any Console
  /// Where the commands of the shell come from.
  var input: any LineSource = StandardInput()

  var style: TextStyle { console.style }

  func run(_ arguments: [String]) async -> ExitStatus {
    do {
      return try await perform(Options(arguments))
    } catch let failure as Failure {
      console.complain(failure.description)
      return failure.status
    } catch OutputError.closed {
      // Whoever reads has seen enough.
      return .success
    } catch OutputError.failed(let cause) {
      return end(.outputFailed, "the output cannot be written: \(cause)")
    } catch {
      guard let failure = Failure(error) else { return end(.software, "\(error)") }
      return end(failure.status, failure.message)
    }
  }

  private func end(_ status: ExitStatus, _ message: String) -> ExitStatus {
    console.complain(Failure(status: status, message: message).description)
    return status
  }

  private func perform(_ options: Options) async throws -> ExitStatus {
    if options.help {
      try console.write(helpText)
      return .success
    }

    var status = ExitStatus.success
    let archive = try await archive(options)
    if let name = options.find { try await find(name, in: archive) }
    if options.summary { try await summarize(archive, options) }
    if options.showsPerson { try await showPerson(in: archive, options) }
    if options.svg != nil || options.dot != nil { try await chart(archive, options) }
    if options.shell {
      var shell = Shell(archive, on: console)
      status = try await shell.run(input)
    }
    if options.stats {
      try heading("Cost")
      try console.write(
        CostText(style: style).draw(
          archive.cache.statistics, capacity: options.recordsInMemory,
          database: archive.databaseCost?()))
    }
    return status
  }

  func heading(_ text: String) throws { try console.write("\n\(style.bold(text))\n") }
}
