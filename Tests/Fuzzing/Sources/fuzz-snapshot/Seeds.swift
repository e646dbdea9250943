import Foundation
import FuzzingSupport
import Kinship

/// The initial snapshots.
enum Seeds {
  static func make() async throws -> [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [:]
    for coder in [CompactCoder(), JSONCoder()] as [any RecordCoder] {
      let cache = GraphCache(schema: try Example.schema(), store: MemoryStore())
      for person in Example.persons { try await cache.put(person) }
      for place in Example.places { try await cache.put(place) }
      for stay in Example.stays { try await cache.put(stay) }
      for id in 8...9 { _ = try await cache.find(Ref<Person>(id)) }
      let lease = cache.lease([Ref<Place>("York")], named: "home")
      try await add(cache, coder, "today", to: &seeds)
      lease.end()

      let old = GraphCache(schema: try Example.oldSchema())
      for human in Example.humans { try await old.put(human) }
      for draft in Example.drafts { try await old.put(draft) }
      try await add(old, coder, "old", to: &seeds)
    }
    return seeds
  }

  /// Adds a snapshot, which is restored in several ways.
  private static func add(
    _ cache: GraphCache, _ coder: any RecordCoder, _ name: String, to seeds: inout [String: [UInt8]]
  ) async throws {
    let url = workingDirectory.appending(path: "seed")
    try await cache.snapshot(to: url, coder: coder)
    let file = Array(try Data(contentsOf: url))
    let description = FileDescription(.snapshot, of: file).description
    let restoring: [Options] = [[], .salvaging, [.json, .storing], [.small, .young]]
    for options in restoring {
      seeds["\(name)-\(coder.name)-\(options.rawValue)"] = [options.rawValue] + description
    }
    seeds["\(name)-\(coder.name)-raw"] = [Options.raw.rawValue] + file
  }
}
