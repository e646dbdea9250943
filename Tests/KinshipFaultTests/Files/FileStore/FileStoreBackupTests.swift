import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

@Suite(.dedicatedThreads, .tags(.lawF5))
struct FileStoreBackupTests {
  static func filled(_ disk: any FileSystem, _ seed: UInt64, commits: Int) async throws -> (
    FileStore, StoredState
  ) {
    let store = try await FileStore.small(in: disk)
    return (store, try await change(store, seed, commits: commits))
  }

  @discardableResult
  static func change(
    _ store: FileStore, _ seed: UInt64, commits: Int
  ) async throws -> StoredState {
    var state = try await StoredState(of: store)
    for commit in 0..<commits {
      let new = state.changed(seed: SplitMix64.subseed(UInt64(commit), of: seed))
      try await store.apply(state.changes(to: new))
      state = new
    }
    return state
  }

  @Test func `a backup copies only new segments`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk)
    for id in 0..<60 { try await store.apply(StoredNote.inserting([id], "\(id)")) }
    let state = try await StoredState(of: store)
    let first = try await store.backup(to: "/backup", in: disk)
    #expect(first.reusedBytes == 0 && first.reusedSegments == 0)
    #expect(first.copiedSegments == store.statistics.segments)
    try await state.verify(.reading(disk, at: "/backup"))
    let again = try await store.backup(to: "/backup", in: disk)
    #expect(again.copiedBytes == 0 && again.copiedSegments == 0)
    #expect(again.reusedBytes == first.copiedBytes)
    let size = disk.files(in: "/store").filter { $0.key.hasSuffix("log") }.values.reduce(0) {
      $0 + $1.count
    }
    try await store.apply(StoredNote.inserting(100...100))
    let grown = disk.files(in: "/store").filter { $0.key.hasSuffix("log") }.values.reduce(0) {
      $0 + $1.count
    }
    let second = try await store.backup(to: "/backup", in: disk)
    #expect(second.copiedSegments <= 2 && second.copiedBytes == grown - size)
    try await store.compact()
    let last = try await Self.change(store, 2, commits: 3)
    try await store.backup(to: "/backup", in: disk)
    try await last.verify(.reading(disk, at: "/backup"))
    let logs = disk.files(in: "/backup").keys.filter { $0.hasSuffix("log") }
    #expect(logs.count == store.statistics.segments, "what is no part of it stays: \(logs)")
  }

  @Test func `a restored backup works as a store`() async throws {
    let disk = SimulatedDisk()
    let (store, state) = try await Self.filled(disk, 1, commits: 30)
    try await store.backup(to: "/backup", in: disk)
    try await Self.change(store, 5, commits: 5)
    let restored = try await FileStore.small(in: disk, at: "/backup")
    try await state.verify(restored)
    let new = try await Self.change(restored, 7, commits: 5)
    try await restored.verify()
    try await restored.close()
    try await new.verify(.small(in: disk, at: "/backup"))
    // It is a store, and no longer a backup.
    await Self.refuses(store, "/backup", disk)
  }

  /// Two copies that have continued in the same segment.
  @Test(arguments: [1, 2, 3])
  func `a backup does not mix copies that have diverged`(commits: Int) async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk, smallestSegment: 1 << 16)
    try await store.apply(StoredNote.inserting(1...3))
    try await store.backup(to: "/backup", in: disk)
    for (name, bytes) in disk.files(in: "/backup") { disk.put(bytes, name, in: "/copy") }
    let copy = try await FileStore.small(in: disk, at: "/copy", smallestSegment: 1 << 16)
    for id in 0..<2 { try await store.apply(StoredNote.inserting([100 + id])) }
    for id in 0..<commits { try await copy.apply(StoredNote.inserting([200 + id])) }
    try await store.backup(to: "/backup", in: disk)
    await Self.refuses(copy, "/backup", disk)
    try await StoredState(of: store).verify(.reading(disk, at: "/backup"))
    // Before the other one was backed up, it would have continued.
    for (name, bytes) in disk.files(in: "/store") where name != "lock" {
      disk.put(bytes, name, in: "/other")
    }
    let other = try await FileStore.small(in: disk, at: "/other", smallestSegment: 1 << 16)
    try await other.apply(StoredNote.inserting([300]))
    try await other.backup(to: "/backup", in: disk)
    try await StoredState(of: other).verify(.reading(disk, at: "/backup"))
  }

  static func refuses(_ store: FileStore, _ path: String, _ disk: SimulatedDisk) async {
    let before = disk.files(in: path).filter { $0.key.hasSuffix("log") }
    let error = await #expect(throws: KinshipError.self) {
      try await store.backup(to: path, in: disk)
    }
    guard case .file(.foreign) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(disk.files(in: path).filter { $0.key.hasSuffix("log") } == before)
  }

  /// The backups of other stores, and of copies that have diverged, are not overwritten.
  @Test func `a backup belongs to one store`() async throws {
    let disk = SimulatedDisk()
    let (store, _) = try await Self.filled(disk, 1, commits: 30)
    try await store.backup(to: "/backup", in: disk)
    await Self.refuses(store, "/store", disk.copy())
    for (name, bytes) in disk.files(in: "/store") { disk.put(bytes, name, in: "/copy") }
    let copy = try await FileStore.small(in: disk, at: "/copy")
    let state = try await Self.change(store, 2, commits: 1)
    try await store.backup(to: "/backup", in: disk)
    try await Self.change(copy, 3, commits: 1)
    await Self.refuses(copy, "/backup", disk)
    for id in 100..<130 { try await copy.apply(StoredNote.inserting([id])) }
    await Self.refuses(copy, "/backup", disk)
    let other = SimulatedDisk()
    let (second, _) = try await Self.filled(other, 1, commits: 5)
    for (name, bytes) in disk.files(in: "/backup") { other.put(bytes, name, in: "/backup") }
    await Self.refuses(second, "/backup", other)
    try await state.verify(.reading(disk, at: "/backup"))
    let lock = try disk.openDirectory("/backup").openOrCreate("lock")
    #expect(try lock.lock())
    let error = await #expect(throws: KinshipError.self) {
      try await store.backup(to: "/backup", in: disk)
    }
    guard case .file(.inUse) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Everything in a backup was on the disk, so no missing part counts as not yet written.
  @Test func `a backup that lacks anything is damaged`() async throws {
    let disk = SimulatedDisk()
    let (store, state) = try await Self.filled(disk, 1, commits: 12)
    try await store.backup(to: "/backup", in: disk)
    let files = disk.files(in: "/backup")
    for (name, bytes) in files where !bytes.isEmpty {
      let cut = Array(bytes.dropLast())
      for change in [cut, cut + [bytes[bytes.count - 1] ^ 1]] {
        let damaged = disk.copy()
        damaged.put(change, name, in: "/backup")
        func open(_ body: () async throws -> FileStore) async throws {
          let error = await #expect(throws: KinshipError.self, "\(name)") {
            let store = try await body()
            _ = try await StoredState(of: store)
            try await store.verify()
          }
          guard case .file(.damaged) = error else { throw Mismatch("\(String(describing: error))") }
        }
        try await open { try await .reading(damaged, at: "/backup") }
        try await open { try await .small(in: damaged, at: "/backup") }
      }
    }
    // Bytes beyond the backup are not part of it.
    let longer = disk.copy()
    for (name, bytes) in files where name.hasSuffix("log") {
      longer.put(bytes + [1, 2, 3], name, in: "/backup")
    }
    longer.put([1], "0000004000.kinlog", in: "/backup")
    try await state.verify(.reading(longer, at: "/backup"))
    try await state.verify(.small(in: longer, at: "/backup"))
    try await state.verify(.small(in: longer.copy(), at: "/backup"))
  }

  /// Each segment is the one that the backup names, with the length that it names.
  ///
  /// A segment that ends earlier after a commit is sound too, and so is one of a store with the
  /// same commits.
  @Test func `a backup checks that each segment is the one it names`() async throws {
    let (disk, other) = (SimulatedDisk(), SimulatedDisk())
    for disk in [disk, other] {
      let (store, _) = try await Self.filled(disk, 1, commits: 30)
      try await store.backup(to: "/backup", in: disk)
    }
    let logs = disk.files(in: "/backup").filter { $0.key.hasSuffix("log") }
    let others = other.files(in: "/backup")
    #expect(logs.count > 2)
    for (name, bytes) in logs {
      let twin = try #require(others[name])
      #expect(twin.count == bytes.count && twin != bytes)
      for change in Self.frameEnds(in: bytes).dropLast().map({ Array(bytes[..<$0]) }) + [twin] {
        let damaged = disk.copy()
        damaged.put(change, name, in: "/backup")
        for isReading in [true, false] {
          let error = await #expect(throws: KinshipError.self, "\(name), \(change.count) bytes") {
            _ =
              isReading
              ? try await FileStore.reading(damaged, at: "/backup")
              : try await .small(in: damaged, at: "/backup")
          }
          guard case .file(.damaged(let damage)) = error else {
            throw Mismatch("\(String(describing: error))")
          }
          #expect(
            damage.file.hasSuffix(name) && damage.cause == "it differs from what the backup lists")
        }
        let salvaged = try await FileStore.small(in: damaged, at: "/backup", damage: .salvage)
        #expect(salvaged.report.damage.contains { $0.file.hasSuffix(name) }, "\(name) is not told")
      }
    }
  }

  /// The offsets where the frames of a segment end.
  private static func frameEnds(in bytes: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var offset = FileHeader.size
    while offset < bytes.count {
      let length = bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      offset += FrameHeader.size + length
      ends.append(offset)
    }
    return ends
  }

  /// Before each system call, if the program is killed and if the power is lost.
  @Test(arguments: [UInt64(1), 2, 3])
  func `an interrupted backup is the previous one or the new one`(seed: UInt64) async throws {
    let disk = SimulatedDisk()
    let (store, _) = try await Self.filled(disk, seed, commits: 30)
    var former: StoredState?
    for round in 0..<4 {
      if round == 2 { try await store.compact() }
      let new = try await Self.change(
        store, SplitMix64.subseed(UInt64(round), of: seed), commits: round == 3 ? 1 : 12)
      let images = Shared<[SimulatedDisk]>([])
      let files = FaultyFiles(disk) { call in
        if call.operation == .read || call.operation == .inspect { return }
        let lost = (0..<2).map { number in
          disk.afterPowerLoss(seed: seed &* 1_000 &+ UInt64(call.number * 2 + number))
        }
        images.change { $0 += [disk.copy()] + lost }
      }
      try await store.backup(to: "/backup", in: files)
      for (number, image) in try Effort().some(of: images.value).enumerated() {
        do {
          try await Self.check(image, former, new, dyingAfter: 1 + number % 60)
        } catch {
          throw Mismatch("round \(round), image \(number) of \(images.value.count): \(error)")
        }
      }
      try await new.verify(.reading(disk.afterPowerLoss(seed: seed), at: "/backup"))
      former = new
    }
  }

  private static func check(
    _ image: SimulatedDisk, _ former: StoredState?, _ new: StoredState, dyingAfter calls: Int
  ) async throws {
    do {
      let reader = try await FileStore.reading(image, at: "/backup")
      let found = try await StoredState(of: reader)
      try KinshipTestSupport.verify(
        found == former ?? StoredState() || found == new,
        "it is neither the former nor the new one")
      let restored = image.copy()
      // The program that restores it may be killed as well.
      let files = FaultyFiles(restored)
      files.fault = .always(.error(SystemErrorCode.deviceFailed), from: calls)
      _ = try? await FileStore.small(in: files, at: "/backup")
      try await found.verify(.small(in: restored.copy(), at: "/backup"))
    } catch let error as KinshipError {
      // There is no backup before the first is finished.
      if former != nil { throw error }
    }
    // It can be made again.
    let store = try await FileStore.small(in: image)
    try await store.backup(to: "/backup", in: image)
    try await new.verify(.reading(image, at: "/backup"))
  }

  /// After any failed call, the backup is the previous one or the new one.
  @Test func `a failed backup can be repeated`() async throws {
    let disk = SimulatedDisk()
    let (store, former) = try await Self.filled(disk, 4, commits: 20)
    try await store.backup(to: "/backup", in: disk)
    let new = try await Self.change(store, 9, commits: 12)
    let counted = FaultyFiles(disk.copy())
    try await store.backup(to: "/backup", in: counted)
    for call in 1...counted.count {
      for kind in FileFault.kinds {
        let copy = disk.copy()
        let files = FaultyFiles(copy, fault: .once(kind, at: call))
        let isDone = await Result { try await store.backup(to: "/backup", in: files) }.isSuccess
        let found = try await StoredState(of: .reading(copy, at: "/backup"))
        #expect(isDone ? found == new : found == former || found == new)
        try await store.backup(to: "/backup", in: copy)
        try await new.verify(.reading(copy, at: "/backup"))
      }
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }

  fileprivate var isSuccess: Bool { (try? get()) != nil }
}
