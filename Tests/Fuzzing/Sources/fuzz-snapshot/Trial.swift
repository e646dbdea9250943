import Foundation
import FuzzingSupport
import Kinship

/// A snapshot, and the properties that hold whatever it contains.
struct Trial {
  private let options: Options
  private let file: [UInt8]

  /// - Parameter input: The options, and the file or its description.
  init?(_ input: UnsafeBufferPointer<UInt8>) {
    guard let first = input.first else { return nil }
    options = Options(rawValue: first)
    let rest = input.dropFirst()
    file =
      options.contains(.raw)
      ? Array(rest) : FileDescription(.snapshot, describedBy: rest).file
  }

  /// Nothing traps, the restored records are sound, and a complete snapshot stays the same when it
  /// is saved and restored again.
  func run() async throws {
    let url = workingDirectory.appending(path: "snapshot")
    try Data(file).write(to: url)
    let cache = try self.cache()
    var restoring = RestoreOptions()
    restoring.migrations = Example.migrations
    if options.contains(.salvaging) { restoring.damage = .salvage }
    if options.contains(.young) { restoring.maximumAge = .seconds(3600) }
    let report: GraphCache.RestoreReport
    do { report = try await cache.restore(from: url, restoring) } catch is KinshipError {
      return await verify(cache)
    }
    await verify(cache)
    if report.failures.isEmpty { try await verifySaving(cache, report) }
  }

  private func cache() throws -> GraphCache {
    GraphCache(
      schema: try Example.schema(), store: options.contains(.storing) ? MemoryStore() : nil,
      capacity: options.contains(.small) ? 2 : .max)
  }

  private func verify(_ cache: GraphCache) async {
    let failures = await cache.audit()
    require(failures.isEmpty, "\(failures)")
  }

  private func verifySaving(_ cache: GraphCache, _ report: GraphCache.RestoreReport) async throws {
    let url = workingDirectory.appending(path: "again")
    let coder: any RecordCoder = options.contains(.json) ? .json : .compact
    let saved = try await cache.snapshot(to: url, coder: coder, requiresAll: true)
    let again = try self.cache()
    let restored = try await again.restore(from: url)
    await verify(again)
    require(
      saved.records == restored.restored, "of \(saved.records) \(restored.restored) come back")
    require(Set(report.leases.keys) == Set(restored.leases.keys), "leases have changed")
    // Leased records are not in the recency order.
    for name in report.leases.keys.sorted() { report.leases[name]?.end() }
    for name in restored.leases.keys.sorted() { restored.leases[name]?.end() }
    let refs = await cache.hottest(.max)
    let refsAgain = await again.hottest(.max)
    require(refs == refsAgain, "\(refs) have become \(refsAgain)")
    for ref in refs { require(isSame(ref, in: cache, again), "\(ref) has changed") }
    let savedAgain = try await again.snapshot(to: url, coder: coder, requiresAll: true)
    require(
      saved.missing == savedAgain.missing, "\(saved.missing) missing, now \(savedAgain.missing)")
  }

  private func isSame(_ ref: AnyRef, in first: GraphCache, _ second: GraphCache) -> Bool {
    if let ref = ref.as(Person.self) { return first.peek(ref) == second.peek(ref) }
    if let ref = ref.as(Place.self) { return first.peek(ref) == second.peek(ref) }
    if let ref = ref.as(Stay.self) { return first.peek(ref) == second.peek(ref) }
    return false
  }
}
