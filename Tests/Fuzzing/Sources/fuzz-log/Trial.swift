import Foundation
import FuzzingSupport
import Kinship
import KinshipFileStore

/// The files of a store, and the properties that hold whatever they contain.
struct Trial {
  private let options: Options
  private let files: Files
  private let directory = workingDirectory.appending(path: "store", directoryHint: .isDirectory)

  /// - Parameter input: The options, and a file or the description of several.
  init?(_ input: UnsafeBufferPointer<UInt8>) {
    guard let first = input.first else { return nil }
    options = Options(rawValue: first)
    let rest = input.dropFirst()
    files =
      options.contains(.raw) ? Files(segment: Array(rest)) : Files(describedBy: rest)
  }

  /// Nothing traps.
  ///
  /// A refused store is refused again. An opened store is the same when it is opened again,
  /// whatever happened in between. After a salvage nothing is damaged.
  func run() async throws {
    try files.write(to: directory)
    guard let store = try await open(options.contains(.salvaging) ? .salvage : .refuse) else {
      if !options.contains(.salvaging) {
        let again = try await open(.refuse)
        require(again == nil, "what was refused is opened")
      }
      return
    }
    var contents = try await Contents(of: store)
    require(!options.contains(.salvaging) || !contents.isDamaged, "damage is left")
    let count = contents.count ?? store.report.records
    require(count == store.report.records, "of \(store.report.records) \(count) are found")
    try await commit(to: store, &contents)
    if options.contains(.compacting) { try await compact(store) }
    let after = try await Contents(of: store)
    require(after == contents, "\(contents) have become \(after)")
    let use = store.statistics
    require(use.liveBytes >= 0 && use.liveBytes <= use.totalBytes, "\(use)")
    try await store.close()
    guard let again = try await open(.refuse) else {
      return require(false, "what was opened is refused")
    }
    let found = try await Contents(of: again)
    require(found == contents, "\(contents) are \(found) when opened again")
    try await again.close()
  }

  /// Opens the store; `nil` if it is refused.
  private func open(_ damage: DamagePolicy) async throws -> FileStore? {
    do {
      return try await FileStore(
        at: directory, schema: try Example.schema(),
        coder: options.contains(.json) ? .json : .compact, durability: .system, damage: damage,
        migrations: Example.migrations)
    } catch KinshipError.file(.inUse(let path)) {
      require(false, "\(path) is still in use")
      return nil
    } catch is KinshipError { return nil }
  }

  /// Inserts one more record.
  private func commit(to store: FileStore, _ contents: inout Contents) async throws {
    guard let persons = contents.persons,
      let id = (0...persons.count).first(where: { persons[$0] == nil })
    else { return }
    let cache = GraphCache(schema: try Example.schema(), store: store)
    let person = Person(id: id, name: "New")
    do {
      try await cache.write { transaction in try transaction.insert(person) }
    } catch KinshipError.untranslatable {
      // No encoder can continue with the keys in the log.
      return
    }
    contents.persons?[id] = person
  }

  /// Writes everything again, which damage must not prevent after a salvage.
  private func compact(_ store: FileStore) async throws {
    do { try await store.compact() } catch KinshipError.file(.damaged(let damage)) {
      require(!options.contains(.salvaging), "\(damage) is left")
    } catch KinshipError.untranslatable {}
  }
}
