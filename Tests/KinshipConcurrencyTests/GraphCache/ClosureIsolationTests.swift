import Foundation
import Kinship
import KinshipDiagnostics
import KinshipTestSupport
import Testing

/// The library accepts every closure, wherever its caller is isolated.
///
/// `KinshipIsolationTests` tests the same in a module whose code is on the main actor by default.
struct ClosureIsolationTests {
  fileprivate typealias Node = TestNode<Int>

  @Test func `a closure may be isolated to the main actor`() async throws {
    try await MainActorCaller().callEverything(Ref(1))
  }

  @Test func `a closure may be isolated to an actor`() async throws {
    try await ActorCaller().callEverything(Ref(1))
  }

  @Test func `a closure may be isolated to nothing`() async throws {
    var caller = try NonisolatedCaller()
    try await caller.callEverything(Ref(1))
  }
}

@MainActor
private final class MainActorCaller {
  private typealias Node = ClosureIsolationTests.Node
  private let cache: GraphCache
  private var title = "title"

  init() throws { cache = try GraphCache(for: Node.self) }

  func callEverything(_ ref: Ref<TestNode<Int>>) async throws {
    let title = title
    try await cache.put(Node(id: 1))
    try await cache.put(contentsOf: (2..<5).map { Node(id: $0, value: self.title.count) })
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

private actor ActorCaller {
  private typealias Node = ClosureIsolationTests.Node
  private let cache: GraphCache
  private var title = "title"

  init() throws { cache = try GraphCache(for: Node.self) }

  func callEverything(_ ref: Ref<TestNode<Int>>) async throws {
    let title = title
    try await cache.put(Node(id: 1))
    try await cache.put(contentsOf: (2..<5).map { Node(id: $0, value: self.title.count) })
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

private struct NonisolatedCaller {
  private typealias Node = ClosureIsolationTests.Node
  private let cache: GraphCache
  private var title = "title"

  init() throws { cache = try GraphCache(for: Node.self) }

  mutating func callEverything(_ ref: Ref<TestNode<Int>>) async throws {
    let title = title
    try await cache.put(Node(id: 1))
    try await cache.put(contentsOf: (2..<5).map { Node(id: $0, value: title.count) })
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
