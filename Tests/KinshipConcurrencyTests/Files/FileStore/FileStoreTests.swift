import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

@Suite(.dedicatedThreads)
struct FileStoreTests {
  static let schema = Result { try GraphSchema(types: StoredState.types) }

  static func files(_ path: String) throws -> [String: Int] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let file = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return (name, file[.size] as? Int ?? 0)
      })
  }

  @Test func `a store can be opened only once at a time`() async throws {
    let temporary = try TemporaryDirectory()
    let url = temporary.url.appending(path: "a store")
    let first = try await FileStore(at: url, schema: Self.schema.get())
    let error = await #expect(throws: KinshipError.self) {
      _ = try await FileStore(at: url, schema: Self.schema.get())
    }
    guard case .file(.inUse) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try await first.apply(StoredNote.inserting(1...3))
    try await first.close()
    let second = try await FileStore(at: url, schema: Self.schema.get())
    #expect(second.report.records == 3)
    try await first.close()
    #expect(try await second.fetch(StoredNote.self, ids: [3, 4, 1]).map(\.id) == [3, 1])
  }

  @Test func `hints describe the store as it was closed`() async throws {
    let temporary = try TemporaryDirectory()
    let url = temporary.url.appending(path: "store")
    let store = try await FileStore(at: url, schema: Self.schema.get())
    // More records than one chunk, of each type, and of both in turn.
    for ids in [0..<1_100, 1_100..<1_103, 1_103..<1_106] {
      try await store.apply(StoredNote.inserting(ids))
      try await store.apply(ChangeSet(inserting: ids.map { StoredLabel($0, value: Double($0)) }))
    }
    try await store.apply(
      ChangeSet(deleting: stride(from: 0, to: 1_106, by: 7).map { StoredNote(id: $0, text: "") }))
    try await store.apply(
      ChangeSet(
        updating: stride(from: 3, to: 1_106, by: 7).map { id in
          UpdatedRecord(
            Ref<StoredNote>(id), old: nil, new: StoredNote(id: id, text: "another"),
            properties: nil)
        }))
    let (notes, labels) = (
      try await store.fetch(RecordQuery<StoredNote>()),
      try await store.fetch(RecordQuery<StoredLabel>())
    )
    let before = store.statistics
    try await store.close()

    let opened = try await FileStore(at: url, schema: Self.schema.get())
    #expect(opened.report.scannedSegments == 0)
    #expect(opened.statistics.records == before.records)
    #expect(opened.statistics.liveBytes == before.liveBytes)
    #expect(Set(try await opened.fetch(RecordQuery<StoredNote>())) == Set(notes))
    #expect(Set(try await opened.fetch(RecordQuery<StoredLabel>())) == Set(labels))
    try await opened.verify()
  }

  @Test func `only the owner can read the store's files`() async throws {
    let temporary = try TemporaryDirectory()
    let path = temporary.path + "/store"
    let store = try await FileStore(
      at: URL(filePath: path), schema: Self.schema.get())
    try await store.apply(StoredNote.inserting(1...3))
    try await store.compact()
    try await store.close()
    #expect(try TemporaryDirectory.permissions(path) == 0o700)
    let names = try Self.files(path).keys
    #expect(names.count >= 3)
    for name in names {
      #expect(try TemporaryDirectory.permissions("\(path)/\(name)") == 0o600)
    }
  }

  @Test func `a closed store rejects calls`() async throws {
    let store = try await FileStore.small(in: SimulatedDisk())
    try await store.apply(StoredNote.inserting(1...3))
    try await store.close()
    func refuses(_ body: () async throws -> Void) async {
      let error = await #expect(throws: KinshipError.self) { try await body() }
      guard case .misuse(.closed) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    await refuses { _ = try await store.fetch(StoredNote.self, ids: [1]) }
    await refuses { _ = try await store.fetch(RecordQuery<StoredNote>()) }
    await refuses { _ = try await store.fetch(RecordQuery<StoredNote>().sorted(by: \.id)) }
    await refuses { try await store.apply(StoredNote.inserting(4...4)) }
    await refuses { try await store.synchronize() }
    await refuses { try await store.compact() }
  }

  @Test func `a cancelled task does not commit`() async throws {
    let store = try await FileStore.small(in: SimulatedDisk())
    let gate = Gate()
    let task = Task {
      await gate.waitIgnoringCancellation()
      try await store.apply(StoredNote.inserting(1...3))
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(store.statistics.records == 0)
  }

  @Test func `waiting commits are synced together`() async throws {
    let temporary = try TemporaryDirectory()
    let store = try await FileStore(
      at: temporary.url.appending(path: "store"), schema: Self.schema.get())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<50 {
        group.addTask {
          for id in 0..<4 { try await store.apply(StoredNote.inserting([task * 4 + id])) }
        }
      }
      try await group.waitForAll()
    }
    let statistics = store.statistics
    #expect(statistics.commits == 200)
    #expect(statistics.records == 200)
    #expect(statistics.syncs < 200)
    print("Group commit: \(statistics.commits) commits, \(statistics.syncs) syncs.")
  }

  /// The later of two changes that contradict each other is refused, in one group or not.
  @Test func `commits of one group see each other`() async throws {
    let store = try await FileStore.small(in: SimulatedDisk())
    let inserted = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<40 {
        group.addTask {
          do {
            try await store.apply(StoredNote.inserting([task % 4], "\(task)"))
            return true
          } catch KinshipError.exists {
            return false
          } catch {
            Issue.record(error)
            return false
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(inserted == 4)
    #expect(store.statistics.records == 4)
  }

  /// Most rounds commit several of the insertions in one group.
  @Test func `of concurrent insertions of one unique value exactly one is stored`() async throws {
    typealias Nickname = TieredStoreTests.Nickname
    let store = try await FileStore(
      in: SimulatedDisk(), at: "/store", schema: GraphSchema(Nickname.self))
    for round in 0..<max(20, try Effort().operations(100)) {
      let stored = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<4 {
          group.addTask {
            let record = Nickname(id: round * 4 + number, name: "\(round)")
            do {
              try await store.apply(ChangeSet(inserting: [record]))
              return true
            } catch KinshipError.notUnique { return false }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      try verifyEqual(stored, 1, "the insertions that were stored in round \(round)")
    }
  }

  /// A failed write may have written some commits of a group completely.
  @Test func `a failed group leaves nothing behind`() async throws {
    var failed = 0
    // Each place of the fault occurs at least twice, however small the effort.
    for write in 1...max(8, try Effort().operations(40)) {
      let disk = SimulatedDisk()
      let files = FaultyFiles(disk)
      let store = try await FileStore.small(in: files, smallestSegment: 1 << 16)
      files.fault = .once(
        .errorAfterPart(SystemErrorCode.noSpace), at: files.count + 1 + 2 * (write % 4))
      let left = try await withThrowingTaskGroup(of: (Int, SimulatedDisk)?.self) { group in
        for id in 0..<20 {
          group.addTask {
            do {
              try await store.apply(StoredNote.inserting([id]))
              return nil
            } catch KinshipError.file(.failed) { return (id, disk.copy()) }
          }
        }
        var left: [(Int, SimulatedDisk)] = []
        for try await failed in group { if let failed { left.append(failed) } }
        return left
      }
      failed += left.count
      for (id, disk) in left {
        let found = try await StoredState(of: .small(in: disk, smallestSegment: 1 << 16))
        #expect(found.notes[id] == nil)
      }
    }
    #expect(failed > 0)
  }

  /// The same records are written over and over.
  @Test(arguments: [true, false])
  func `files stay below two and a half times the size of the records`(isInBackground: Bool)
    async throws
  {
    let disk = SimulatedDisk()
    var tuning = LogTuning()
    tuning.smallestSegment = 2_048
    tuning.compactsInBackground = isInBackground
    let store = try await FileStore(
      in: disk, at: "/store", schema: Self.schema.get(), durability: .system, tuning: tuning)
    let count = 400
    try await store.apply(StoredNote.inserting(0..<count, String(repeating: "a", count: 150)))
    var generator = SplitMix64(seed: 7)
    var worst = 0.0
    for _ in 0..<(try Effort().operations(3_000)) {
      // Some often, most seldom.
      let id = Int(Double(count) * pow(Double.random(in: 0..<1, using: &generator), 3))
      let old = StoredNote(id: id, text: "")
      let new = StoredNote(
        id: id,
        text: String(
          repeating: "b", count: Int.random(in: 100...200, using: &generator)))
      try await store.apply(
        ChangeSet(updating: [
          UpdatedRecord(old.ref, old: old, new: new, properties: nil)
        ]))
      let bytes = disk.files(in: "/store").values.reduce(0) { $0 + $1.count }
      // The overhead of a small store.
      let slack = 2 * tuning.smallestSegment
      worst = max(worst, Double(bytes - slack) / Double(store.statistics.liveBytes))
    }
    let statistics = store.statistics
    #expect(statistics.backgroundFailure == nil)
    #expect(worst < 2.5)
    print(
      "Space, background \(isInBackground): at most \(worst) times the records; \(statistics)")
  }

  @Test func `a store opens without reading its records`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk, smallestSegment: 16_384)
    for batch in 0..<20 {
      try await store.apply(
        StoredNote.inserting(batch * 20..<batch * 20 + 20, String(repeating: "x", count: 500)))
    }
    try await store.close()
    let read = Lock(0)
    let files = FaultyFiles(disk) { call in
      if call.operation == .read, call.path.hasSuffix(".kinlog") { read.withLock { $0 += 1 } }
    }
    let opened = try await FileStore.small(in: files, smallestSegment: 16_384)
    #expect(opened.report.records == 400)
    #expect(opened.report.scannedSegments == 0)
    // The header, the start and its payload: nothing else.
    #expect(read.withLock { $0 } <= 3 * opened.statistics.segments)
    // Without hints it reads all, and writes them again.
    for name in disk.files(in: "/store").keys where name.hasSuffix(".kinhint") {
      disk.take(name, from: "/store")
    }
    let left = disk.copy()
    let scanned = try await FileStore.small(in: left, smallestSegment: 16_384)
    #expect(scanned.report.records == 400)
    #expect(scanned.report.scannedSegments == scanned.statistics.segments)
    try await scanned.close()
    #expect(
      try await FileStore.small(in: left.copy(), smallestSegment: 16_384)
        .report.scannedSegments == 0)
  }

  @Test func `reads continue while the log is compacted`() async throws {
    let temporary = try TemporaryDirectory()
    var tuning = LogTuning()
    tuning.smallestSegment = 2_048
    tuning.movedAtOnce = 256
    let store = try await FileStore(
      in: SystemFiles(), at: temporary.path + "/store", schema: Self.schema.get(),
      durability: .system, tuning: tuning)
    try await store.apply(StoredNote.inserting(0..<300, String(repeating: "a", count: 50)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { for _ in 0..<5 { try await store.compact() } }
        group.addTask {
          for _ in 0..<100 {
            let all = try await store.fetch(RecordQuery<StoredNote>())
            #expect((300...301).contains(all.count))
            let some = try await store.fetch(StoredNote.self, ids: Array(50..<80))
            #expect(some.count == 30)
          }
        }
      }
      group.addTask {
        for id in 300..<400 {
          try await store.apply(StoredNote.inserting([id]))
          let old = StoredNote(id: id, text: "")
          try await store.apply(ChangeSet(deleting: [old]))
        }
      }
      try await group.waitForAll()
    }
    #expect(store.statistics.movedRecords > 1_000)
  }

  /// A backup shows one commit, while others commit and the log is compacted.
  @Test(.tags(.lawF5)) func `a backup is one commit while others commit`() async throws {
    let directory = try TemporaryDirectory()
    let store = try await FileStore.small(
      in: SystemFiles(), at: directory.path + "/store", durability: .system)
    let history = Shared([StoredState()])
    let isDone = Shared(false)
    async let backups = {
      var count = 0
      while !isDone.value {
        // The last one may not be committed yet.
        let first = max(0, history.value.count - 2)
        try await store.backup(to: directory.path + "/backup", in: SystemFiles())
        let found = try await StoredState(
          of: .reading(SystemFiles(), at: directory.path + "/backup"))
        try verify(history.value[first...].contains(found), "what is there was never committed")
        count += 1
      }
      return count
    }()
    for commit in 0..<400 {
      let state = history.value[commit]
      let new = state.changed(seed: UInt64(commit))
      history.change { $0.append(new) }
      try await store.apply(state.changes(to: new))
      if commit % 50 == 0 { try await store.compact() }
    }
    isDone.change { $0 = true }
    print("Backups while others commit: \(try await backups).")
  }

  @Test func `indexes follow commits`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk)
    var state = StoredState()
    var generator = SplitMix64(seed: 3)
    for _ in 0..<60 {
      let next = state.changed(seed: generator.next())
      try await store.apply(state.changes(to: next))
      state = next
      try await state.verify(store)
      // More orders than the store keeps indexes for.
      for query in [
        RecordQuery<StoredNote>().sorted(by: \.id),
        RecordQuery<StoredNote>().sorted(by: \.id, .descending),
        RecordQuery<StoredNote>().sorted(by: \.text).sorted(by: \.id, .descending),
        RecordQuery<StoredNote>().sorted(by: \.text, .descending).sorted(by: \.id, .descending),
      ] {
        #expect(try await store.fetch(query) == query.answer(from: state.notes.values))
      }
      let labels = RecordQuery<StoredLabel>().sorted(by: \.value).sorted(by: \.id.number)
      #expect(try await store.fetch(labels) == labels.answer(from: state.labels.values))
    }
  }

  @Test func `records without an order can be removed`() async throws {
    let store = try await FileStore.small(in: SimulatedDisk(), coder: .compact)
    func label(_ number: Int, _ value: Double?) -> StoredLabel { StoredLabel(number, value: value) }
    let labels = (0..<40).map { label($0, $0.isMultiple(of: 3) ? .nan : Double($0 % 7)) }
    try await store.apply(ChangeSet(inserting: labels))
    let query = RecordQuery<StoredLabel>().sorted(by: \.value)
    #expect(try await store.fetch(query).count == 40)
    try await store.apply(ChangeSet(deleting: Array(labels.prefix(30))))
    #expect(Set(try await store.fetch(query).map(\.id)) == Set(labels.dropFirst(30).map(\.id)))
  }

  @Test func `another coder starts another segment`() async throws {
    let disk = SimulatedDisk()
    let state = StoredState().changed(seed: 7)
    let store = try await FileStore.small(in: disk)
    try await store.apply(StoredState().changes(to: state))
    try await store.close()
    func logs() -> Int { disk.files(in: "/store").keys.count { $0.hasSuffix(".kinlog") } }
    let before = logs()
    try await FileStore.small(in: disk).close()
    #expect(logs() == before)
    let other = try await FileStore.small(in: disk, coder: .json)
    #expect(logs() == before + 1)
    #expect(try await StoredState(of: other) == state)
    try await other.close()
  }
}
