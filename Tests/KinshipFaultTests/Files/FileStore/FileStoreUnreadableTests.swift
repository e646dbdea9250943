import Foundation
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipFileStore

/// Unreadable records of a file store, and its indexes.
struct FileStoreUnreadableTests {
  /// An earlier form of a note: its bytes are complete, but do not decode as a note.
  struct OldNote: GraphRecord, Codable {
    let id: Int
    var text: Int
    var next: Ref<OldNote>?

    static let recordName = "StoredNote"
    static let relationships: Relationships<OldNote> = [.ignored(\.next)]
  }

  private static func reopened() async throws -> FileStore {
    let disk = SimulatedDisk()
    let old = try await FileStore(in: disk, at: "/store", schema: GraphSchema(OldNote.self))
    try await old.apply(ChangeSet(inserting: [OldNote(id: 1, text: 77, next: 2)]))
    try await old.close()
    let store = try await FileStore(in: disk, at: "/store", schema: GraphSchema(StoredNote.self))
    try await store.apply(
      ChangeSet(inserting: [
        StoredNote(id: 2, text: "b"), StoredNote(id: 3, text: "a", next: 2),
        StoredNote(id: 4, text: "c", next: 3),
      ]))
    return store
  }

  /// The record's fields say to which records it may refer.
  @Test func `an unreadable record affects only the targets that it names`() async throws {
    let store = try await Self.reopened()
    func referrers(_ id: Int) async throws -> (ids: [Int], failed: [Ref<StoredNote>?]) {
      do {
        return (
          try await store.referrers(
            to: [Ref<StoredNote>(id)], by: RecordRelationship(\StoredNote.next)
          )
          .map(
            \.id),
          []
        )
      } catch let partial as PartialAnswer<StoredNote> {
        return (partial.records.map(\.id), partial.failures.map(\.ref))
      }
    }
    #expect(try await referrers(3) == ([4], []))
    #expect(try await referrers(2) == ([3], [1]))
    #expect(try await referrers(77) == ([], [1]), "any of its numbers may be a ref")
    #expect(try await referrers(4) == ([], []))
  }

  /// After a temporary disk failure, the store remembers only where it must look for the record.
  @Test func `a record that becomes readable again returns to the index`() async throws {
    let directory = try TemporaryDirectory()
    let store = try await FileStore(at: directory.url, schema: GraphSchema(StoredNote.self))
    try await store.apply(
      ChangeSet(inserting: [
        StoredNote(id: 1, text: "a"), StoredNote(id: 2, text: "damaged", next: 1),
        StoredNote(id: 3, text: "z", next: 1),
      ]))
    func replace(_ text: String, by other: String) throws {
      let files = try FileManager.default.contentsOfDirectory(
        at: directory.url, includingPropertiesForKeys: nil)
      let log = try #require(files.first { $0.pathExtension == "kinlog" })
      let place = try #require(try Data(contentsOf: log).range(of: Data(text.utf8)))
      let file = try FileHandle(forUpdating: log)
      try file.seek(toOffset: UInt64(place.lowerBound))
      try file.write(contentsOf: Data(other.utf8))
      try file.close()
    }
    try replace("damaged", by: "Damaged")
    let order = RecordQuery<StoredNote>().sorted(by: \.text)
    let error = await #expect(throws: PartialAnswer<StoredNote>.self) {
      try await store.fetch(order)
    }
    #expect(error?.records.map(\.id) == [1, 3])
    await #expect(throws: PartialAnswer<StoredNote>.self) {
      try await store.referrers(
        to: [1] as [Ref<StoredNote>], by: RecordRelationship(\StoredNote.next))
    }
    try replace("Damaged", by: "damaged")
    #expect(try await store.fetch(order).map(\.id) == [1, 2, 3])
    let referrers = try await store.referrers(
      to: [1] as [Ref<StoredNote>], by: RecordRelationship(\StoredNote.next))
    #expect(Set(referrers.map(\.id)) == [2, 3])
  }

  @Test func `indexes work without unreadable records`() async throws {
    let store = try await Self.reopened()
    let order = RecordQuery<StoredNote>().sorted(by: \.text)
    func answer() async throws -> (ids: [Int], failed: [Ref<StoredNote>?]) {
      do {
        return (try await store.fetch(order).map(\.id), [])
      } catch let partial as PartialAnswer<StoredNote> {
        return (partial.records.map(\.id), partial.failures.map(\.ref))
      }
    }
    #expect(try await answer() == ([3, 2, 4], [1]))
    let more = ChangeSet(inserting: [StoredNote(id: 5, text: "aa")])
    try await store.apply(more)
    #expect(try await answer() == ([3, 5, 2, 4], [1]))
    // The record is written again, complete.
    try await store.apply(
      ChangeSet(updating: [
        UpdatedRecord(
          Ref<StoredNote>(1), old: nil, new: StoredNote(id: 1, text: "z"), properties: nil
        )
      ]))
    #expect(try await answer() == ([3, 5, 2, 4, 1], []))
  }
}
