import Foundation

/// Measures Kinship as its users see it: from another package, in a release build.
@main
enum KinshipBench {
  static func main() async {
    do {
      switch try Invocation(arguments: Array(CommandLine.arguments.dropFirst())) {
      case .help(let subcommand):
        print(Help.text(for: subcommand))
      case .run(let subcommand, let options):
        exit(try await run(subcommand, options))
      case .runAll(let options):
        exit(try await runAll(options))
      case .watch(let watcher):
        try await watcher.run()
      }
    } catch let error as UsageError {
      complain("error: \(error)\nTry kinship-bench --help.")
      exit(64)
    } catch {
      complain("error: \(error)")
      exit(error is OutputError ? 73 : 70)
    }
  }

  /// Runs all subcommands that have the wanted cases, and writes a file for each into a directory.
  @concurrent
  private static func runAll(_ options: Options) async throws -> Int32 {
    var status: Int32 = 0
    for subcommand in Subcommand.all {
      var own = options
      own.only = options.only.filter { name in
        subcommand.allCases("").contains { $0.name == name }
      }
      if own.only.isEmpty && !options.only.isEmpty { continue }
      own.jsonPath = options.jsonPath.map { "\($0)/\(subcommand.name).json" }
      own.svgPath = options.svgPath.map { "\($0)/\(subcommand.name).svg" }
      status = max(status, try await run(subcommand, own))
    }
    return status
  }

  /// Runs off the main actor, from which every hop to another actor would cost a thread switch.
  @concurrent
  private static func run(_ subcommand: Subcommand, _ options: Options) async throws -> Int32 {
    #if DEBUG
      complain(
        "warning: this is a debug build: build with -c release for times that mean something")
    #endif
    let json = try options.jsonPath.map(OutputFile.init(path:))
    let svg = try options.svgPath.map(OutputFile.init(path:))
    // Not by `print`, which waits for its buffer to be full where the output is a pipe.
    let report = try await Run(subcommand: subcommand, options: options).report { text in
      FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
    try json?.write(report.json())
    try svg?.write(Data(Chart(report: report).svg.utf8))
    for mismatch in report.mismatches { complain("error: wrong count: \(mismatch)") }
    return report.mismatches.isEmpty ? 0 : 1
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("kinship-bench: \(text)\n".utf8))
  }
}
