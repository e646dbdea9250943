import Foundation
import FuzzingSupport
import Kinship
import KinshipFileStore

/// Logs to begin with.
enum Seeds {
  static func make() async throws -> [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [:]
    for isOld in [false, true] {
      try await make(CompactCoder(), then: JSONCoder(), old: isOld, &seeds)
      try await make(JSONCoder(), then: CompactCoder(), old: isOld, &seeds)
    }
    return seeds
  }

  private static func make(
    _ coder: any RecordCoder, then other: any RecordCoder, old isOld: Bool,
    _ seeds: inout [String: [UInt8]]
  ) async throws {
    let directory = workingDirectory.appending(path: "seed", directoryHint: .isDirectory)
    let schema = try isOld ? Example.oldSchema() : Example.schema()
    let name = "\(isOld ? "old" : "today")-\(coder.name)"
    try Files(describedBy: []).write(to: directory)
    let store = try await FileStore(at: directory, schema: schema, coder: coder)
    let cache = GraphCache(schema: schema, store: store)
    if isOld { try await fillOld(cache) } else { try await fill(cache) }
    try add("\(name)-open", directory, to: &seeds)
    try await store.close()
    try add("\(name)-closed", directory, to: &seeds)
    // Another coder starts another segment.
    let again = try await FileStore(at: directory, schema: schema, coder: other)
    let cacheAgain = GraphCache(schema: schema, store: again)
    if isOld {
      try await change(Example.changedHuman, in: cacheAgain)
    } else {
      try await change(Example.changedPerson, in: cacheAgain)
    }
    try await again.close()
    try add("\(name)-two", directory, to: &seeds)
  }

  private static func fill(_ cache: GraphCache) async throws {
    try await cache.write { transaction in
      for person in Example.persons { try transaction.insert(person) }
      for place in Example.places { try transaction.insert(place) }
    }
    try await cache.write { transaction in
      for stay in Example.stays { try transaction.insert(stay) }
      try transaction.delete(Ref<Person>(300))
    }
  }

  private static func fillOld(_ cache: GraphCache) async throws {
    try await cache.write { transaction in
      for human in Example.humans { try transaction.insert(human) }
      for draft in Example.drafts { try transaction.insert(draft) }
    }
  }

  private static func change<R: GraphRecord>(_ record: R, in cache: GraphCache) async throws {
    try await cache.write { transaction in try transaction.put(record) }
  }

  /// Adds files, which are opened in several ways.
  private static func add(
    _ name: String, _ directory: URL, to seeds: inout [String: [UInt8]]
  ) throws {
    let description = try Files.description(of: directory)
    let opening: [Options] = [[], .salvaging, [.json, .compacting]]
    for options in opening {
      seeds["\(name)-\(options.rawValue)"] = [options.rawValue] + description
    }
  }
}
