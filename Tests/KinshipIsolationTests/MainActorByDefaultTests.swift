import Foundation
import Kinship
import KinshipDiagnostics
import Testing

/// Calls in a module whose code is on the main actor by default.
///
/// `ClosureIsolationTests` tests the same from other places.
final class MainActorByDefaultTests {
  private let cache: GraphCache
  private var title = "title"

  init() throws { cache = try GraphCache(for: Node.self) }

  @Test func `every call accepts a closure isolated to the main actor`() async throws {
    let ref = Ref<Node>(1)
    let title = title
    try await cache.put(Node(id: 1))
    try await cache.put(contentsOf: (2..<5).map { Node(id: $0, value: self.title.count) })
    #expect(cache.peek(Ref<Node>(4))?.value == 5)
    try await cache.update(ref) { $0.value = title.count }
    try await cache.update(ref, \.value, to: self.title.count)
    #expect(await cache.perform { cache in cache[ref]?.value } == 5)
    _ = try await cache.perform { cache in try cache.update(ref) { $0.value += 1 } }
    #expect(await cache.read(ref) { $0.value } == 6)
    #expect(await cache.reduce([ref], into: 1) { $0 += $1.value } == 7)
    try await cache.write { tx in try tx.update(ref) { $0.value += title.count } }
    try await cache.writeOptimistically { tx in tx[ref]?.value += title.count }
    try await UndoStack(cache).write { tx in try tx.update(ref, \.value, to: title.count) }
    let removals = cache.onRemoval { removal in _ = removal.ref }
    removals.cancel()
    ref.forEachRef { self.title += "\($0.id)" }
    let graph = try await cache.graph(of: ref)
    #expect(graph.tree { _ in self.title }.contains("title1"))
    #expect(graph.dot { _ in self.title }.contains("title1"))
    #expect(graph.mermaid { _ in self.title }.contains("title1"))
    for try await change in cache.observe(ref) {
      self.title = "\(change.value?.value ?? 0)"
      break
    }
    #expect(self.title == "5")
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try await cache.snapshot(to: file) { progress in _ = progress.completed }
    try await cache.restore(from: file) { progress in _ = progress.completed }
    _ = JSONCoder(encoder: { JSONEncoder() }, decoder: { JSONDecoder() })
    _ = Migrations().step(for: Node.self, from: 1) { $0.rename("value", to: "number") }
  }
}

/// A record as a user declares it.
struct Node: GraphRecord, Codable {
  let id: Int
  var value = 0
  var links: [Ref<Node>] = []

  static let relationships: Relationships<Node> = [.toMany(\.links)]
}
