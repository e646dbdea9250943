import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTiers

@Suite(.tags(.lawF6))
struct StoreCopyTests {
  /// Records chosen by a seed.
  static func state(_ seed: UInt64, changes: Int = 40) -> StoredState {
    (0..<changes).reduce(StoredState()) { state, number in
      state.changed(seed: SplitMix64.subseed(UInt64(number), of: seed))
    }
  }

  static func filled(_ state: StoredState) async throws -> MemoryStore {
    let store = MemoryStore()
    try await store.apply(StoredState().changes(to: state))
    return store
  }

  /// Through stores of all kinds, in batches of any size, and back.
  @Test func `stores of every kind copy completely, in batches of any size`() async throws {
    for seed in try Effort().seeds(30) {
      let state = Self.state(seed)
      let memory = try await Self.filled(state)
      let files = try await FileStore.small(in: SimulatedDisk())
      let batchSize = [1, 2, 3, 7, 100, nil][Int(seed % 6)]
      let report = try await memory.copy(StoredState.types, to: files, batchSize: batchSize)
      try await state.verify(files)
      #expect(report.copied == state.notes.count + state.labels.count)
      #expect(report.written == report.copied)
      #expect(report.digests.map(\.count) == [state.notes.count, state.labels.count])
      let back = MemoryStore()
      let again = try await files.copy(StoredState.types, to: back, batchSize: batchSize)
      #expect(again.digests == report.digests)
      // Nothing remains to be written.
      let once = try await memory.copy(StoredState.types, to: back)
      #expect(once.written == 0 && once.digests == report.digests)
    }
  }

  struct Interruption: Error {}

  /// After each batch, and after each failing call of the file system.
  @Test func `an interrupted copy resumes`() async throws {
    let state = Self.state(3)
    let memory = try await Self.filled(state)
    let all = state.notes.count + state.labels.count
    for end in 1...all {
      let files = try await FileStore.small(in: SimulatedDisk())
      var kept: Data?
      var count = 0
      await #expect(throws: Interruption.self) {
        try await memory.copy(StoredState.types, to: files, batchSize: 1) { progress in
          kept = try JSONEncoder().encode(progress)
          count += 1
          if count == end { throw Interruption() }
        }
      }
      let progress = try JSONDecoder().decode(CopyProgress.self, from: #require(kept))
      #expect(progress.copied == end)
      var batches = 0
      let report = try await memory.copy(
        StoredState.types, to: files, batchSize: 1, after: progress
      ) { _ in batches += 1 }
      #expect(batches == all - end && report.copied == all && report.written == all)
      try await state.verify(files)
    }
    let disk = SimulatedDisk()
    let faulty = FaultyFiles(disk)
    let files = try await FileStore.small(in: faulty)
    var (kept, attempts) = (CopyProgress?.none, 0)
    while true {
      faulty.fault = .once(.error(SystemErrorCode.noSpace), at: faulty.count + 5)
      attempts += 1
      do {
        try await memory.copy(StoredState.types, to: files, batchSize: 2, after: kept) { kept = $0 }
        break
      } catch KinshipError.file(.failed) { continue }
    }
    #expect(attempts > 3)
    faulty.fault = nil
    try await state.verify(files)
  }

  @Test func `a copy names the records that differ`() async throws {
    let state = Self.state(5)
    let memory = try await Self.filled(state)
    let other = MemoryStore()
    try await other.apply(ChangeSet(inserting: [StoredNote(id: 900, text: "not of the source")]))
    let error = await #expect(throws: KinshipError.self) {
      try await memory.copy(StoredState.types, to: other, batchSize: 5)
    }
    guard case .copyDiffers("StoredNote", let source, let destination, let records) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(source == state.notes.count && destination == source + 1)
    #expect(records == [AnyRef(Ref<StoredNote>(900))])
    #expect("\(try #require(error))".contains("900"))
  }

  /// A record that is written behind the copy's position is found, and copied the next time.
  @Test func `a copy detects records written meanwhile`() async throws {
    let state = Self.state(5)
    let memory = try await Self.filled(state)
    let (files, id) = (MemoryStore(), try #require(state.notes.keys.min()))
    var (new, isWritten) = (state, false)
    new.notes[id]?.text = "later"
    let changes = state.changes(to: new)
    let error = await #expect(throws: KinshipError.self) {
      try await memory.copy(StoredState.types, to: files, batchSize: 2) { _ in
        if isWritten { return }
        isWritten = true
        try await memory.apply(changes)
      }
    }
    guard case .copyDiffers("StoredNote", _, _, let records) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(records == [AnyRef(Ref<StoredNote>(id))])
    let report = try await memory.copy(StoredState.types, to: files)
    #expect(report.written == 1)
  }

  private struct Plain: GraphRecord { let id: Int }

  @Test func `a copy names a type that it cannot copy`() async throws {
    let store = ClosureStore().fetching(StoredNote.self) { ids in
      ids.map { StoredNote(id: $0, text: "") }
    }
    let error = await #expect(throws: KinshipError.self) {
      try await store.copy([StoredNote.self], to: MemoryStore())
    }
    guard case .misuse(.unsupported(_, let operation)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(operation.contains("StoredNote"))
    let plain = await #expect(throws: KinshipError.self) {
      try await MemoryStore().copy([StoredNote.self, Plain.self], to: MemoryStore())
    }
    guard case .invalidSchema(.notCodable("Plain")) = plain else {
      Issue.record("\(String(describing: plain))")
      return
    }
    #expect(try await MemoryStore().copy([], to: MemoryStore()).copied == 0)
  }

  /// A store without filters is asked for the first batch, and then for all records.
  @Test func `a store without filters can be copied`() async throws {
    let state = Self.state(8)
    let plain = Unfiltered(base: try await Self.filled(state))
    let copied = MemoryStore()
    let report = try await plain.copy(StoredState.types, to: copied, batchSize: 3)
    #expect(report.copied == state.notes.count + state.labels.count)
  }

  private struct Unfiltered: BackingStore {
    let base: MemoryStore

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      try await base.fetch(type, ids: ids)
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      try verify(query.filter.isAll && query.start == nil, "it does not know that: \(query)")
      return try await base.fetch(query)
    }
  }
}
