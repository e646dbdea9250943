import Foundation

/// Compiles modules against the Kinship that this program was built with, as a package that depends
/// on it compiles its own.
final class ClientCompiler: Sendable {
  private let scratch: ScratchDirectory
  private let modules: URL

  /// - Throws: `OutputError` if the module of Kinship does not lie where the package manager puts
  ///   it.
  init() throws {
    scratch = try ScratchDirectory()
    let program = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    modules = program.resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "Modules")
    let module = modules.appending(path: "Kinship.swiftmodule").path
    guard FileManager.default.fileExists(atPath: module) else {
      throw OutputError(path: module, cause: "it is not beside this program")
    }
  }

  /// - Throws: `OutputError` with what the compiler has said if it fails.
  func compile(_ source: String, isOptimised: Bool) throws -> Compilation {
    let file = scratch.url.appending(path: "Client.swift")
    let object = scratch.url.appending(path: "Client.o")
    try Data(source.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-c", "-parse-as-library", "-swift-version", "6", "-module-name", "Client"]
      + (isOptimised ? ["-O", "-whole-module-optimization"] : ["-Onone"])
      + ["-I", modules.path, file.path, "-o", object.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    let watch = Stopwatch()
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let elapsed = watch.elapsed
    guard process.terminationStatus == 0 else {
      throw OutputError(path: file.path, cause: String(decoding: text, as: UTF8.self))
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: object.path)
    return Compilation(
      nanoseconds: Int(elapsed / .nanoseconds(1)), bytes: attributes[.size] as? Int ?? 0)
  }
}

/// The cost of compiling a module.
struct Compilation {
  let nanoseconds: Int
  /// The size of its object file.
  let bytes: Int
}
