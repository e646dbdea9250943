import KinshipTestSupport
import Testing

/// The library's rooms, and what each may mention.
struct ArchitectureTests {
  /// Each room builds on those before it.
  ///
  /// The identity map, the engine, comes first. It knows values only by ``Cacheable``, so that a
  /// user's module can specialise relationships and tables of a record type.
  static let rooms = [
    "Support", "IdentityMap", "Indexes", "Staging", "Model", "Graph", "Transactions", "Queries",
    "Stores", "Loading", "Observation", "Files", "GraphCache", "Live",
  ]

  /// A source file, in a room.
  struct File {
    let room: String
    let path: String
    let source: SwiftSource
  }

  static let files: Result<[File], any Error> = Result { try files(of: "Kinship") }

  /// The source files of a module, each in the folder that is its room.
  private static func files(of module: String) throws -> [File] {
    // Code in tutorials is not part of the library.
    try RepositoryFile.all(in: "Sources/\(module)", ending: [".swift"])
      .filter { !$0.path.contains(".docc/") }
      .map {
        File(
          room: String($0.path.split(separator: "/")[2]), path: $0.path,
          source: SwiftSource($0.text))
      }
  }

  /// A time limit ends a test early on a busy machine, and a measured time fails there.
  @Test func `tests have no time limits and do not measure wall time`() throws {
    let exempt: Set = [
      // These measure nothing: a date is where simulated time begins, or is shown by an example.
      "ProgressMeterTests.swift", "NotificationPaceTests.swift",
      "DocumentationExamples+Tracing.swift", "RandomOperations.swift",
      "PostgreSQLEffectsTests.swift",
      // A bound on staleness is a promise about time, so these outlast it.
      "ProcessFaultTests.swift", "Worker.swift",
      // This file contains the patterns.
      "ArchitectureTests.swift",
    ]
    for file in try RepositoryFile.all(in: "Tests", ending: [".swift"])
    where !exempt.contains(file.name) {
      for clock in [".timeLimit(", "ContinuousClock.now", "SuspendingClock.now", "Date.now"] {
        #expect(!file.text.contains(clock), "\(file.path) has \(clock)")
      }
    }
  }

  @Test func `every source file is in a known room`() throws {
    let inhabited = Set(try Self.files.get().map(\.room))
    #expect(inhabited == Set(Self.rooms))
  }

  @Test(arguments: rooms) func `a room mentions only the rooms before it`(room: String) throws {
    let files = try Self.files.get()
    let position = try #require(Self.rooms.firstIndex(of: room))
    let later = Set(Self.rooms[(position + 1)...])
    // A nested type may have the name of another room's type, and means its own.
    let known = files.filter { !later.contains($0.room) }
      .reduce(into: Set<String>()) { $0.formUnion($1.source.types) }
    let unknown = files.filter { later.contains($0.room) }
      .reduce(into: Set<String>()) { $0.formUnion($1.source.topLevelTypes) }
      .subtracting(known)
    for file in files where file.room == room {
      let mentioned = file.source.words.intersection(unknown)
      #expect(mentioned.isEmpty, "\(file.path) mentions what a later room declares: \(mentioned)")
    }
  }

  /// The modules beside the library, whose rooms are their folders.
  static let modules = [
    "KinshipDiagnostics", "KinshipFileStore", "KinshipFiles", "KinshipFoundation",
    "KinshipInspection", "KinshipMemoryPressure", "KinshipPostgreSQL", "KinshipSQL",
    "KinshipSQLite", "KinshipSync", "KinshipTesting", "KinshipTiers", "KinshipTranslation",
  ]

  @Test(arguments: modules)
  func `the folders of a module do not depend on each other in a cycle`(module: String) throws {
    let files = try RepositoryFile.all(in: "Sources/\(module)", ending: [".swift"]).map {
      File(
        room: $0.path.split(separator: "/").dropLast().joined(separator: "/"), path: $0.path,
        source: SwiftSource($0.text))
    }
    #expect(!files.isEmpty)
    let folders = Dictionary(grouping: files, by: \.room)
    let declared = folders.mapValues { files in
      files.reduce(into: Set<String>()) { $0.formUnion($1.source.topLevelTypes) }
    }
    var rest = folders.mapValues { files in
      files.reduce(into: Set<String>()) { $0.formUnion($1.source.words) }
    }
    // A folder that mentions none of the others cannot be in a cycle.
    while let (free, _) = rest.first(where: { folder, words in
      declared.allSatisfy {
        $0.key == folder || rest[$0.key] == nil || words.isDisjoint(with: $0.value)
      }
    }) { rest[free] = nil }
    #expect(rest.isEmpty, "these depend on each other in a cycle: \(rest.keys.sorted())")
  }

  /// A type's methods are in its room, unless any room may extend it.
  @Test func `a room extends only its own types and public types`() throws {
    let files = try Self.files.get()
    let open = files.reduce(into: Set<String>()) { $0.formUnion($1.source.publicTopLevelTypes) }
    for (room, own) in Dictionary(grouping: files, by: \.room) {
      let others = files.filter { $0.room != room }
        .reduce(into: Set<String>()) { $0.formUnion($1.source.topLevelTypes) }
      let foreign = own.reduce(into: others) { $0.subtract($1.source.topLevelTypes) }
        .subtracting(open)
      for file in own {
        let extended = file.source.extended.intersection(foreign)
        #expect(extended.isEmpty, "\(file.path) extends what another room keeps: \(extended)")
      }
    }
  }

  /// A linker takes from an archive only the objects whose symbols are named.
  ///
  /// No symbol names an object that contains only conformances, so a cast would not find them.
  @Test func `conformances found by casts are in the file of their type or protocol`() throws {
    let files = try Self.files.get() + Self.files(of: "KinshipFiles")
    let code = files.map(\.source.code).joined(separator: "\n")
    let cast = Set(code.matches(of: /as\? any (\w+)/).map { String($0.output.1) })
    let found = files.reduce(into: Set<String>()) { $0.formUnion($1.source.types) }
      .intersection(cast)
      .union(["LocalizedError", "CustomStringConvertible", "CustomDebugStringConvertible"])
    #expect(found.contains("ScopedExpression"))
    for file in files {
      for match in file.source.code.matches(of: /extension ([\w.]+)\s*:([^{]+)/) {
        let type = match.output.1.split(separator: ".").last.map(String.init) ?? ""
        if file.source.types.contains(type) { continue }
        let protocols = match.output.2.split { !$0.isLetter }.map(String.init)
          .prefix { $0 != "where" }
        let lost = Set(protocols).intersection(found).subtracting(file.source.types)
        #expect(lost.isEmpty, "\(file.path): \(type) conforms to \(lost)")
      }
    }
  }

  @Test func `only the stores and the cache wait`() throws {
    let waiting: Set = [
      "async", "await", "Task", "TaskGroup", "withTaskGroup", "AsyncSequence", "AsyncStream",
      "CheckedContinuation", "UnsafeContinuation", "withCheckedContinuation",
      "withCheckedThrowingContinuation", "Promise", "actor", "nonisolated",
    ]
    let rooms = ["Stores", "Files", "GraphCache", "Live"]
    // These rooms wait with promises. The core never sees one.
    let promise = "Sources/Kinship/Support/Promise.swift"
    for file in try Self.files.get() where !rooms.contains(file.room) && file.path != promise {
      let spoken = file.source.words.intersection(waiting)
      #expect(spoken.isEmpty, "\(file.path) waits: \(spoken)")
    }
  }

  /// Only files, predicates and errors use Foundation.
  ///
  /// `GraphCache` uses `URL` to write and read files.
  ///
  /// The system also distinguishes threads, gives the time, and supplies zeroed memory, and the
  /// standard library reports the stored properties of a type.
  @Test func `only files, predicates and errors use Foundation`() throws {
    let ofFiles: Set = [
      "Synchronization", "Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Musl",
      "Darwin", "KinshipFiles",
    ]
    for file in try Self.files.get() where file.room != "Live" {
      let isOfFiles =
        file.room == "Files"
        || file.path.hasSuffix("GraphCache/Snapshots/GraphCache+Snapshots.swift")
      let ofPredicates: Set = ["Foundation", "FoundationEssentials"]
      let others: [String: Set<String>] = [
        "Support/RunningClosure.swift": ["Synchronization", "Glibc", "Musl", "Darwin"],
        "Support/TickedClock.swift": ["Glibc", "Musl"],
        "Support/ZeroedBuffer.swift": ["Glibc", "Musl", "Darwin"],
        "Model/Records/RefField.swift": ["Swift"],
        "GraphCache/Pages/PageCursor.swift": ofPredicates,
        "Indexes/Keys/IndexedValue.swift": ofPredicates,
        "Indexes/Keys/IDOrder.swift": ofPredicates, "Stores/IDCounter.swift": ofPredicates,
      ]
      let imports =
        others.first { file.path.hasSuffix($0.key) }?.value
        ?? (isOfFiles
          ? ofFiles
          : file.room == "Queries" || file.source.words.contains("LocalizedError")
            ? ofPredicates : ["Synchronization"])
      #expect(file.source.imports.isSubset(of: imports), "\(file.path)")
    }
  }

  /// Types for views are `@Observable` and on the main actor, and only in one room.
  @Test func `only the Live room is observable and bound to the main actor`() throws {
    for file in try Self.files.get() {
      if file.room == "Live" {
        #expect(file.source.imports.isSubset(of: ["Observation"]), "\(file.path)")
      } else {
        let spoken = file.source.words.intersection(["MainActor", "Observable"])
        #expect(spoken.isEmpty, "\(file.path) is for views: \(spoken)")
      }
    }
  }

  @Test(arguments: [
    "@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency", "try!", "as!", "fatalError(",
  ])
  func `the sources do not silence the compiler`(escape: String) throws {
    for file in try Self.files.get() + Self.files(of: "KinshipFiles") {
      // In this file, the program would end anyway, without a message.
      if escape == "fatalError(", file.path.hasSuffix("Support/CallerLock.swift") { continue }
      let isSaid = file.source.code.contains(escape)
      #expect(!isSaid, "\(file.path) says \(escape)")
    }
  }

  @Test func `the source scanner ignores comments and strings`() {
    let source = SwiftSource(
      #"""
      // GraphCache
      /* a /* nested */ GraphCache */ let a = "GraphCache \"\(b.map { "\(Node($0))" }) GraphCache"
      /// import Foundation
      let c = """
        "GraphCache" \(Graph("GraphCache"))
        """, d = Plan
      """#)
    #expect(source.words.isDisjoint(with: ["GraphCache", "Foundation"]))
    #expect(source.words.isSuperset(of: ["a", "b", "map", "Node", "c", "Graph", "d", "Plan"]))
    #expect(source.imports == [])
  }

  @Test func `the source scanner finds declarations at their depth`() {
    let source = SwiftSource("import Foundation\nstruct A { enum B { } }\nactor C { func class D }")
    #expect(source.topLevelTypes == ["A", "C"])
    #expect(source.types == ["A", "B", "C", "D"])
    #expect(source.imports == ["Foundation"])
    #expect(SwiftSource("extension A.B { } public extension C { }").extended == ["A", "C"])
    let seen = SwiftSource(
      "public import A\nstruct B { public enum C { } }\npublic final class D { }\npublic enum E")
    #expect(seen.publicTopLevelTypes == ["D", "E"])
  }
}
