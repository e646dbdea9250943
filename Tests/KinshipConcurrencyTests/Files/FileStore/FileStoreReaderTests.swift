import Dispatch
import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Tests of a reader of a store that another process writes.
@Suite(.dedicatedThreads, .tags(.lawF4))
struct FileStoreReaderTests {
  @Test func `a reader keeps its version until it is refreshed`() async throws {
    let disk = SimulatedDisk()
    let writer = try await FileStore.small(in: disk)
    let reader = try await FileStore.reading(disk)
    #expect(reader.report.records == 0)
    try await writer.apply(StoredNote.inserting(1...3))
    #expect(try await reader.fetch(RecordQuery<StoredNote>()).isEmpty)
    #expect(try await reader.refresh())
    #expect(try await reader.fetch(StoredNote.self, ids: [1, 2, 3]).count == 3)
    #expect(try await !reader.refresh())
    #expect(try await !writer.refresh())
  }

  @Test func `a reader changes no file`() async throws {
    let disk = SimulatedDisk()
    let workload = FileStoreWorkload(seed: 3, commits: 40)
    try await workload.run(in: disk) { _ in }
    // Leftovers that a writer would remove, and an incomplete file.
    disk.put([1, 2, 3], ".mark.kinship-tmp-1", in: "/store")
    let name = try #require(disk.files(in: "/store").keys.filter { $0.hasSuffix("log") }.max())
    let file = try disk.openDirectory("/store").open(name, .update)
    try file.write([7, 7, 7], at: file.size())
    let before = disk.files(in: "/store")
    let reader = try await FileStore.reading(ReadOnlyFiles(disk))
    #expect(reader.report.cut == nil)
    try await workload.states[40].verify(reader)
    try await reader.verify()
    #expect(try await !reader.refresh())
    func refuses(_ body: () async throws -> Void) async {
      let error = await #expect(throws: KinshipError.self) { try await body() }
      guard case .misuse(.readOnlyStore("FileStore")) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    await refuses { try await reader.apply(StoredNote.inserting(90...91)) }
    await refuses { try await reader.synchronize() }
    await refuses { try await reader.compact() }
    await refuses { _ = try await reader.reserveIDs(StoredNote.self, count: 1) }
    try await reader.close()
    try await reader.close()
    let error = await #expect(throws: KinshipError.self) { try await reader.refresh() }
    guard case .misuse(.closed) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    await #expect(throws: KinshipError.self) {
      try await reader.fetch(StoredNote.self, ids: [1])
    }
    #expect(disk.files(in: "/store") == before)
  }

  @Test func `a reader opens a read-only directory`() async throws {
    let temporary = try TemporaryDirectory()
    let url = temporary.url.appending(path: "store")
    let schema = try FileStoreTests.schema.get()
    let store = try await FileStore(at: url, schema: schema)
    try await store.apply(StoredNote.inserting(1...3))
    try await store.close()
    let path = url.path(percentEncoded: false)
    let before = try FileStoreTests.files(path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
    let reader = try await FileStore(readingFrom: url, schema: schema)
    let notes = try await reader.fetch(RecordQuery<StoredNote>().sorted(by: \.id))
    #expect(notes.map(\.id) == [1, 2, 3])
    #expect(try FileStoreTests.files(path) == before)
    let error = await #expect(throws: KinshipError.self) {
      _ = try await FileStore(readingFrom: temporary.url.appending(path: "none"), schema: schema)
    }
    guard case .file(.failed(_, let cause as SystemError)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.code == SystemErrorCode.missing)
  }

  /// A commit is not visible as long as bytes are missing, whatever follows them.
  @Test(arguments: [false, true])
  func `a commit is visible once its last byte is written`(isPadded: Bool) async throws {
    let disk = SimulatedDisk()
    let writer = try await FileStore.small(in: disk, durability: .system)
    try await writer.apply(StoredNote.inserting(1...2, "first"))
    let name = "0000000001.kinlog"
    let start = try #require(disk.files(in: "/store")[name]).count
    let before = try await StoredState(of: writer)
    try await writer.apply(StoredNote.inserting(3...4, "second"))
    let after = try await StoredState(of: writer)
    let bytes = try #require(disk.files(in: "/store")[name])
    for count in start...bytes.count {
      let torn = disk.copy()
      let file = try torn.openDirectory("/store").open(name, .update)
      try file.truncate(to: count)
      if isPadded { try file.truncate(to: bytes.count) }
      let isWhole = bytes[count...].allSatisfy { isPadded && $0 == 0 }
      let reader = try await FileStore.reading(ReadOnlyFiles(torn))
      try await (isWhole ? after : before).verify(reader)
      // The rest of it is written.
      try file.write(Array(bytes[count...]), at: count)
      #expect(try await reader.refresh() != isWhole, "after \(count) bytes")
      try await after.verify(reader)
    }
  }

  /// A commit that arrives byte by byte is visible when it is complete.
  @Test func `a commit that is growing is not visible yet`() async throws {
    let disk = SimulatedDisk()
    let writer = try await FileStore.small(in: disk, durability: .system)
    try await writer.apply(StoredNote.inserting(1...2, "first"))
    let name = "0000000001.kinlog"
    let start = try #require(disk.files(in: "/store")[name]).count
    let before = try await StoredState(of: writer)
    try await writer.apply(StoredNote.inserting(3...4, "second"))
    let bytes = try #require(disk.files(in: "/store")[name])
    let file = try disk.openDirectory("/store").open(name, .update)
    try file.truncate(to: start)
    let reader = try await FileStore.reading(ReadOnlyFiles(disk))
    for count in start..<bytes.count {
      #expect(try await !reader.refresh(), "before byte \(count)")
      try await before.verify(reader)
      try file.write([bytes[count]], at: count)
    }
    #expect(try await reader.refresh())
    #expect(try await reader.fetch(RecordQuery<StoredNote>()).count == 4)
  }

  /// While the reader is opened and refreshed, the writer acts before any of its system calls.
  @Test func `a reader works while the writer is at any step`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in try Effort().seeds(24) {
        group.addTask {
          do { try await Self.interleave(seed) } catch { throw Mismatch("seed \(seed): \(error)") }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func interleave(_ seed: UInt64) async throws {
    let disk = SimulatedDisk()
    let durability = FileStore.durabilities[Int(seed % 3)]
    let writer = try await FileStore.small(in: disk, durability: durability)
    let (history, generator) = (Shared([StoredState()]), Shared(SplitMix64(seed: seed)))
    // How often the writer may still act: it is not always faster than the reader.
    let (rest, failures) = (Shared(0), Shared<[any Error]>([]))
    @Sendable func work() async {
      var choice: UInt64 = 0
      generator.change { choice = $0.next() }
      do {
        if choice % 8 == 0 { return try await writer.compact() }
        let state = history.value[history.value.count - 1]
        let new = state.changed(seed: choice)
        // The state is added before its commit, because a reader may see it before it is
        // acknowledged.
        history.change { $0.append(new) }
        try await writer.apply(state.changes(to: new))
      } catch { failures.change { $0.append(error) } }
    }
    let files = FaultyFiles(ReadOnlyFiles(disk)) { _ in
      guard rest.value > 0 else { return }
      var isWorking = false
      generator.change { isWorking = $0.chance(0.15) }
      // On the reader's own thread, which no other task needs.
      guard isWorking else { return }
      rest.change { $0 -= 1 }
      let done = DispatchSemaphore(value: 0)
      Task {
        await work()
        done.signal()
      }
      done.wait()
    }
    for _ in 0..<30 { await work() }
    var first = history.value.count - 1
    rest.change { $0 = 12 }
    let reader = try await FileStore.reading(files)
    for _ in 0..<20 {
      rest.change { $0 = 0 }
      let found = try await StoredState(of: reader)
      guard history.value[first...].contains(found) else {
        throw Mismatch("what is read was not committed, or before what was there: \(found)")
      }
      try await found.verify(reader)
      for _ in 0..<5 { await work() }
      try verifyEqual(try await StoredState(of: reader), found, "what is read before a refresh")
      first = history.value.count - 1
      rest.change { $0 = 12 }
      _ = try await reader.refresh()
    }
    rest.change { $0 = 0 }
    _ = try await reader.refresh()
    try await history.value[history.value.count - 1].verify(reader)
    if let failure = failures.value.first { throw failure }
  }

  /// A commit that was visible before it failed is rolled back, even if another of the same length
  /// has replaced it.
  @Test func `a reader drops a commit that was rolled back`() async throws {
    let disk = SimulatedDisk()
    let first = try await FileStore.small(in: disk)
    try await first.apply(StoredNote.inserting(1...1))
    let other = disk.copy()
    try await FileStore.small(in: other).apply(StoredNote.inserting(3...3))
    try await first.apply(StoredNote.inserting(2...2))
    let reader = try await FileStore.reading(disk)
    let name = "0000000001.kinlog"
    let bytes = try #require(other.files(in: "/store")[name])
    #expect(bytes.count == disk.files(in: "/store")[name]?.count)
    try disk.openDirectory("/store").open(name, .update).write(bytes, at: 0)
    #expect(try await reader.refresh())
    #expect(
      try await reader.fetch(RecordQuery<StoredNote>().sorted(by: \.id)).map(\.id) == [1, 3])
  }

  /// After a failed sync, the log continues in a new place, before the part that may have been
  /// read.
  @Test(arguments: FileStore.durabilities)
  func `a reader drops the rest of a failed sync`(durability: FileStore.Durability) async throws {
    let disk = SimulatedDisk()
    let (files, failing) = (FaultyFiles(disk), Shared(false))
    let writer = try await FileStore.small(in: files, durability: durability)
    let reader = try await FileStore.reading(disk)
    var state = StoredState()
    for seed in 0..<60 {
      let new = state.changed(seed: UInt64(seed))
      if seed % 7 == 6 { files.fault = .once(.errorAfterPart(5), at: files.count + 1 + seed % 4) }
      do {
        try await writer.apply(state.changes(to: new))
        if seed % 5 == 4 { try await writer.synchronize() }
        state = new
      } catch {
        state = try await StoredState(of: writer)
        failing.change { $0 = true }
      }
      files.fault = nil
      _ = try await reader.refresh()
      let read = try await StoredState(of: reader)
      try verify(read == state || read == new, "what is read was not committed")
      if seed % 7 == 6 {
        // The next commit has repaired the log.
        let next = state.changed(seed: UInt64(1_000 + seed))
        try await writer.apply(state.changes(to: next))
        state = next
        #expect(try await reader.refresh())
        try await state.verify(reader)
      }
    }
    #expect(failing.value)
  }

  /// Another process writes, compacts, closes and opens the store again.
  @Test func `a reader follows the store of another process`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    let (seed, commits) = (UInt64(11), 400)
    let workload = FileStoreWorkload(seed: seed, commits: commits)
    try await FileStore.small(in: SystemFiles(), at: path).close()
    let child = try KilledChild(
      "work", path, log: directory.url.appending(path: "log"), seed: seed, commits: commits)
    let reader = try await FileStore.reading(SystemFiles(), at: path)
    let isDone = Shared(false)
    async let wasKilled = {
      defer { isDone.change { $0 = true } }
      return try await child.run(untilCall: .max)
    }()
    var (last, seen) = (0, 0)
    while !isDone.value {
      if try await reader.refresh() { seen += 1 }
      let found = try await StoredState(of: reader)
      guard let state = workload.states[last...].firstIndex(of: found) else {
        throw Mismatch("what is read was not committed, or before commit \(last)")
      }
      last = state
    }
    #expect(try await !wasKilled)
    _ = try await reader.refresh()
    try await workload.states[workload.states.count - 1].verify(reader)
    print("Another process: \(seen) times something new.")
  }
}
