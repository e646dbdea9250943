import Foundation
import Kinship
import KinshipTestSupport
import Testing

extension DocumentationExamples {
  /// Examples of writes that are queued in files.
  struct Queueing {
    private final class Server: Sendable {
      let memory = MemoryStore([StoredNote(id: 1, text: "a")])

      func send(_ changes: ChangeSet, idempotencyKey: String?) async throws {
        #expect(idempotencyKey?.count == 32)
        try await memory.apply(changes)
      }
    }

    private struct ServerStore: ForwardingStore {
      let api = Server()
      var base: any BackingStore { api.memory }

      func apply(_ changes: ChangeSet) async throws {
        try await api.send(changes, idempotencyKey: changes.key?.description)
      }
    }

    private func watch(_ write: GraphCache.PendingWrite, _ changes: ChangeSet) {
      #expect(write.isPending && !changes.isEmpty)
    }

    private func show(_ text: String?) { #expect(text == "Written in a tunnel") }

    private func show(_ changes: ChangeSet, _ error: any Error) {}

    @Test func `an offline queue keeps a write until the store is reachable`() async throws {
      let temporary = try TemporaryDirectory()
      let directory = temporary.url.appending(path: "queue")
      let schema = try GraphSchema(StoredNote.self)
      let store = ServerStore()
      let ref: Ref<StoredNote> = 1

      let queue = try await OfflineQueue(at: directory, schema: schema)
      let cache = GraphCache(schema: schema, store: store)
      for restored in try await cache.resume(queue) {
        watch(restored.write, restored.changes)
      }

      let pending = try await cache.writeOptimistically { tx in
        try tx.update(ref, \.text, to: "Written in a tunnel")
      }
      show(cache.peek(ref)?.text)
      try await pending.outcome()

      try await cache.sendQueuedWrites()
      #expect(store.api.memory[ref]?.text == "Written in a tunnel")
    }

    @Test func `a cache resumes an empty queue`() async throws {
      let temporary = try TemporaryDirectory()
      let directory = temporary.url.appending(path: "queue")
      let schema = try GraphSchema(StoredNote.self)
      let cache = GraphCache(schema: schema, store: ServerStore())

      let queue = try await OfflineQueue(at: directory, schema: schema)
      let restored = try await cache.resume(queue)

      #expect(restored.isEmpty && queue.cut == nil)
    }

    @Test func `each restored write reports its outcome`() async throws {
      let temporary = try TemporaryDirectory()
      let directory = temporary.url.appending(path: "queue")
      let schema = try GraphSchema(StoredNote.self)
      let queue = try await OfflineQueue(at: directory, schema: schema)
      let cache = GraphCache(schema: schema, store: ServerStore())

      for restored in try await cache.resume(queue) {
        do { try await restored.write.outcome() } catch { show(restored.changes, error) }
      }
    }
  }
}
