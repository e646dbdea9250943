import Foundation
import Kinship
import KinshipDiagnostics
import KinshipProgram

/// A genealogy in a terminal: how an application uses Kinship.
///
/// - `Records`: the record types, with their relationships and delete rules.
/// - `Gedcom`, `Reading`: from the bytes of a GEDCOM file to records.
/// - `Sample`: a genealogy to play with.
/// - `Stores`: the sources of records: memory, files, SQLite, PostgreSQL; and warm starts.
/// - `Questions`: graphs, queries and figures, all from one cache.
/// - `Drawing`: answers as text.
/// - `Shell`: edits with undo, and watching what changes.
/// - `Program`: options, and how they are answered. Begin here, and go on to `Archive.swift` in
///   `Questions`.
struct FamilyTreeProgram {
  let console: any Console
  var input = LineSource.standardInput

  var style: TextStyle { console.style }

  func run(_ arguments: [String]) async -> ExitStatus {
    do { return try await perform(Options(arguments)) } catch { return report(error) }
  }

  /// Reports an error, and returns the exit status for it.
  @discardableResult
  private func report(_ error: any Error) -> ExitStatus {
    let isOfProgram = error is OutputError || error is CommandLineMistake
    return console.report(isOfProgram ? error : Failure(error), in: "family-tree")
  }

  private func perform(_ options: Options) async throws -> ExitStatus {
    if options.help || options.version {
      try console.write(options.help ? helpText : "family-tree \(version)\n")
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
      do { try await archive.close() } catch { report(error) }
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
    if options.summary { try await summarize(archive) }
    if options.asksNothing {
      try await introduce(archive, options)
    } else if options.showsPerson {
      let generations = options.ancestors ?? Options.defaultAncestors
      try await show(person(in: archive, options), ancestors: generations, in: archive)
    }
    if options.shell {
      var shell = Shell(archive, self)
      status = try await shell.run(input)
      await shell.end()
    }
    if options.stats {
      try heading("Cost")
      try console.write(
        CostText(style: style).draw(
          archive.cache.statistics, capacity: options.recordsInMemory))
    }
    return status
  }

  // MARK: The genealogy and its persons

  /// The genealogy to explore: of a store, of a file, or a sample.
  func archive(_ options: Options) async throws -> Archive {
    if let location = options.store { return try await archive(in: location, options) }
    guard let file = options.file else { return try Archive(SampleGenealogy.make(), options) }
    return try Archive(genealogy(of: FileAccess.read(file), from: file), options)
  }

  /// The genealogy of a file, whose warnings go to standard error.
  func genealogy(of bytes: [UInt8], from file: String) throws -> Genealogy {
    console.show(progress: "Reading \(file)")
    let read = Result { () throws(GedcomError) in try GenealogyReader.read(bytes) }
    console.show(progress: nil)
    do throws(GedcomError) {
      let (genealogy, diagnostics) = try read.get()
      for line in diagnostics.report(for: file) { console.complain(line) }
      return genealogy
    } catch {
      throw Failure(
        status: .badData, subject: file, line: error.line, message: error.message)
    }
  }

  func person(in archive: Archive, _ options: Options) async throws -> Ref<Person> {
    if let who = options.person { return try await archive.person(who).ref }
    if let first = try await archive.firstPerson() { return first.ref }
    throw Failure(
      status: .badData, subject: options.store?.name ?? options.file,
      message: "there are no individuals in it. Choose another file")
  }
}

extension Failure {
  /// The reason why a command cannot be carried out, or a file or a store cannot be used.
  init(_ error: any Error, of subject: String? = nil, _ status: ExitStatus? = nil) {
    switch error {
    case let failure as Failure: self = failure
    case KinshipError.commitFailed(let cause):
      self.init(
        status: .cannotWrite, subject: subject, message: "it cannot be written: \(cause.sentences)")
    case KinshipError.fetchFailed:
      self.init(status: .unreadable, subject: subject, message: "\(error)")
    default:
      let what = status == .cannotWrite ? "it cannot be written: " : "it cannot be read: "
      self.init(
        status: status ?? (error is KinshipError ? .notFound : .software), subject: subject,
        message: (status == nil ? "" : what) + error.sentences)
    }
  }

  /// Runs a closure that uses a file or a store, and turns its errors into failures.
  static func catching<Result>(
    in subject: String, _ status: ExitStatus, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch { throw Failure(error, of: subject, status) }
  }
}

@main
enum Main {
  static func main() async {
    let program = FamilyTreeProgram(console: StandardConsole())
    let status = await program.run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }
}
