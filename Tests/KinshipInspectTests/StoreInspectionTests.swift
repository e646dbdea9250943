import KinshipProgram
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipFileStore
@testable import KinshipInspection
@testable import KinshipTrials
@testable import kinship_inspect

/// An inspection of a store equals the store.
@Suite(.dedicatedThreads)
struct StoreInspectionTests {
  @Test(arguments: [true, false], [true, false])
  func `an inspected store equals the written one`(isClosed: Bool, readsAll: Bool) async throws {
    for seed in try Effort().seeds(30) {
      let image = try await StoreImage(seed: seed, closing: isClosed)
      let disk = SimulatedDisk.holding(image.files)
      let inspection = try Inspection(of: "/store", in: disk, readsAll: readsAll)
      #expect(try InspectedState(inspection) == InspectedState(image.state), "seed \(seed)")
      #expect(inspection.damage.isEmpty, "seed \(seed): \(inspection.damage)")
      // Nothing was changed.
      #expect(disk.files(in: "/store") == image.files)
      guard case .store(let facts) = inspection.kind else {
        Issue.record("It is no store")
        continue
      }
      #expect(facts.totalBytes == image.files.values.reduce(0) { $0 + $1.count })
      #expect(facts.uncommitted == nil)
      let store = try await FileStore.small(in: disk.copy())
      let statistics = store.statistics
      #expect(inspection.records.count == statistics.records)
      #expect(facts.liveBytes == statistics.liveBytes)
      #expect(inspection.types.reduce(0) { $0 + $1.bytes } == facts.liveBytes)
    }
  }

  @Test func `only the mark may be damaged after a power loss`() async throws {
    for seed in try Effort().seeds(60) {
      let disk = SimulatedDisk()
      let workload = FileStoreWorkload(seed: seed, commits: 20, durability: .system)
      try await workload.run(in: disk) { _ in }
      let found = disk.afterPowerLoss(seed: seed)
      let inspection: Inspection
      do { inspection = try Inspection(of: "/store", in: found, readsAll: true) } catch {
        guard case .file(.foreign) = error else { throw error }
        continue
      }
      let store = try await FileStore.small(in: found.copy())
      #expect(
        try await InspectedState(inspection) == InspectedState(StoredState(of: store)),
        "seed \(seed)")
      #expect(inspection.damage.allSatisfy { $0.file.hasSuffix("mark") }, "seed \(seed)")
    }
  }

  @Test(arguments: [true, false])
  func `mutated stores are detected or harmless`(isClosed: Bool) async throws {
    var (found, harmless, trials) = (0, 0, 0)
    for seed in try Effort().seeds(4) {
      let image = try await StoreImage(seed: seed, closing: isClosed)
      let spans = image.spans
      for number in try Effort().some(of: 0..<150) {
        var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(number), of: seed))
        let mutation = FileMutation.random(of: image.files, spans: spans, using: &generator)
        var files = image.files
        mutation.apply(to: &files)
        let changed = files.filter { image.files[$0.key] != $0.value }.keys
        if files.isEmpty || changed.count > 1 && changed.contains(SegmentName.mark) { continue }
        trials += 1
        do {
          if try await Self.isFound(files, image) { found += 1 } else { harmless += 1 }
        } catch { throw Mismatch("seed \(seed), trial \(number), \(mutation): \(error)") }
      }
    }
    print("Mutated stores, closed \(isClosed): of \(trials) \(found) found, \(harmless) harmless.")
    #expect(found > harmless)
  }

  /// Looks for damage.
  ///
  /// If there is none, everything is there. Otherwise the rest was written, can be copied, and the
  /// copy can be opened.
  private static func isFound(
    _ files: [String: [UInt8]], _ image: StoreImage
  ) async throws -> Bool {
    let disk = SimulatedDisk.holding(files)
    let inspection: Inspection
    do { inspection = try Inspection(of: "/store", in: disk, readsAll: true) } catch {
      switch error {
      case .file(.foreign), .file(.newerFormat), .file(.unknownCoder): return true
      default: throw error
      }
    }
    _ = run("show", "/store", in: disk)
    _ = run("show", "/store", "--records", "StoredNote", in: disk)
    let (status, console) = run("verify", "/store", in: disk)
    try verifyEqual(status == .success, inspection.damage.isEmpty, console.output)
    if inspection.damage.isEmpty {
      let state = try InspectedState(inspection)
      try verifyEqual(state, try InspectedState(image.state), "what is found without damage")
      return false
    }
    let written = try image.written.map { try InspectedState($0) }
    var left: [FileDamage] = []
    let count = try inspection.copy(to: "/copy", in: disk) { left.append($0) }
    try verifyEqual(count, inspection.records.count - left.count, "how many are copied")
    let copy = try await FileStore(
      in: disk, at: "/copy", schema: GraphSchema(types: StoredState.types))
    let state = try await InspectedState(StoredState(of: copy))
    try verifyEqual(state.records.count, count, "how many are found in the copy")
    for (key, value) in state.records {
      try verify(written.contains { $0.records[key] == value }, "nobody has written \(value)")
    }
    return true
  }

  @Test func `every flipped bit is found`() async throws {
    let image = try await StoreImage(seed: 3, closing: true)
    var missed: [String] = []
    for (name, bytes) in image.files.sorted(by: { $0.key < $1.key }) {
      for bit in try Effort(environment: [:]).some(of: 0..<bytes.count * 8)
      where bit.isMultiple(of: 13) {
        var files = image.files
        files[name]?[bit / 8] ^= 1 << (bit % 8)
        let (status, _) = run("verify", "/store", in: SimulatedDisk.holding(files))
        if status == .success { missed.append("\(name) \(bit)") }
      }
    }
    #expect(missed.isEmpty)
  }

  @Test func `damage names the record and the bytes`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk, smallestSegment: 1 << 16)
    try await store.apply(
      StoredState().changes(to: .init(notes: [7: StoredNote(id: 7, text: "one")])))
    try await store.close()
    let found = try Inspection(of: "/store", in: disk, readsAll: true)
    let record = try #require(found.records.first)
    var bytes = try #require(disk.files(in: "/store")[SegmentName.log(1)])
    // The record is changed and the frame's checksum repaired, so the record's own is wrong.
    bytes[record.offset + record.byteCount - 6] ^= 1
    let frame = try #require(
      bytes.spansOfFrames.last { $0.contains(record.offset) && $0.lowerBound < record.offset })
    let payload = Array(bytes[frame.lowerBound + FrameHeader.size..<frame.upperBound])
    bytes.replaceSubrange(
      frame.lowerBound..<frame.lowerBound + FrameHeader.size,
      with: FrameHeader(kind: LogFrame.commit, of: payload).bytes(at: frame.lowerBound))
    disk.put(bytes, SegmentName.log(1), in: "/store")
    let (status, console) = run("verify", "/store", in: disk)
    #expect(status == .notFound)
    #expect(
      console.output.hasPrefix(
        "/store/0000000001.kinlog:\(record.offset): error: StoredNote:7: the checksum of a record "
          + "is wrong.\n"), "\(console.output)")
  }

  /// The bit may be anywhere in the log: in a record, its id, its length or the part before them.
  @Test func `a flipped bit of a closed store costs one record at most`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk, smallestSegment: 1 << 16)
    let notes = (1...12).map { StoredNote(id: $0, text: "note \($0)", next: Ref($0 % 7)) }
    try await store.apply(ChangeSet(inserting: notes))
    try await store.apply(ChangeSet(deleting: [notes[3]]))
    try await store.close()
    let files = disk.files(in: "/store")
    let name = SegmentName.log(1)
    #expect(files.keys.contains(SegmentName.hint(1)))
    let written = try InspectedState(Inspection(of: "/store", in: disk, readsAll: true)).records
    #expect(written.count == 11)
    var salvaged: Set<Int> = []
    let size = try #require(files[name]?.count)
    for bit in try Effort().some(of: FileHeader.size * 8..<size * 8) {
      var damaged = files
      damaged[name]?[bit / 8] ^= 1 << (bit % 8)
      let disk = SimulatedDisk.holding(damaged)
      let (status, console) = run("salvage", "/store", "--to", "/copy", in: disk)
      #expect(status == .notFound, "bit \(bit)")
      let copy = try Inspection(of: "/copy", in: disk, readsAll: true)
      #expect(copy.damage.isEmpty, "bit \(bit): \(copy.damage)")
      let records = try InspectedState(copy).records
      #expect(records.allSatisfy { written[$0] == $1 }, "bit \(bit)")
      #expect(records.count >= 10, "bit \(bit): \(console.complaints)")
      let lost = records.count == 11 ? "" : ", 1 record lost"
      #expect(console.output == "\(records.count) records written to /copy\(lost)\n")
      salvaged.insert(records.count)
    }
    #expect(salvaged == [10, 11])
  }

  /// Written by versions of Kinship whose records had checksums, but no proof of their place.
  @Test func `earlier log formats are read`() throws {
    var types = VocabularyGrowth()
    types.types = [TypeDeclaration(number: 0, name: "Old", version: 1, fields: ["id"])]
    types.keys = ["id"]
    let start = SegmentStart(
      number: 1, identity: 7, firstSequence: 1, previousEnd: 0, coder: "compact")
    var file = FileHeader(.log).bytes
    file += FrameHeader(kind: LogFrame.start, of: start.payload).bytes(at: file.count)
    file += start.payload
    var entry: [UInt8] = [1, 0, 0, 10, 4, 0xCA, 2, 1, 5]
    entry.append(littleEndian: CRC32C.checksum(of: entry))
    let commit =
      CommitHead(sequence: 1, synced: file.count, growth: types, count: 1).bytes + entry
    file += FrameHeader(kind: LogFrame.commit, of: commit).bytes(at: file.count) + commit
    let disk = SimulatedDisk.holding([SegmentName.log(1): file])
    #expect(run("verify", "/store", in: disk).console.output == "1 record, all sound\n")
    #expect(
      run("show", "/store", "--records", "Old", in: disk).console.output == "id\n 5\n1 record\n")
    let later = Array(FileHeader(.log, version: 9).bytes) + file.dropFirst(FileHeader.size)
    let newer = SimulatedDisk.holding([SegmentName.log(1): later])
    #expect(run("verify", "/store", in: newer).status == .badData)
  }

  /// The log is compacted between any two system calls.
  @Test func `segments that come and go are not reported missing`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk)
    var state = StoredState()
    for seed in 0..<UInt64(40) {
      let next = state.changed(seed: seed)
      try await store.apply(state.changes(to: next))
      state = next
    }
    let before = disk.files(in: "/store")
    try await store.compact()
    let after = disk.files(in: "/store")
    #expect(Set(before.keys).subtracting(after.keys).contains { $0.hasSuffix(".kinlog") })
    let known = try InspectedState(state)
    for listing in 1...4 {
      let files = TornListings(
        SimulatedDisk.holding(after), torn: listing,
        missing: Set(after.keys).subtracting(before.keys))
      let inspection = try Inspection(of: "/store", in: files, readsAll: true)
      #expect(inspection.damage.isEmpty, "torn listing \(listing): \(inspection.damage)")
      #expect(try InspectedState(inspection) == known, "torn listing \(listing)")
    }
    var (call, isOver) = (1, false)
    while !isOver {
      let disk = SimulatedDisk.holding(before)
      let (count, place) = (Shared(0), call)
      let files = FaultyFiles(disk) { _ in
        count.change { $0 += 1 }
        guard count.value == place else { return }
        for name in before.keys where after[name] == nil { disk.take(name, from: "/store") }
        for (name, bytes) in after { disk.put(bytes, name, in: "/store") }
      }
      for readsAll in [true, false] {
        let inspection = try Inspection(of: "/store", in: files, readsAll: readsAll)
        #expect(inspection.damage.isEmpty, "before call \(place): \(inspection.damage)")
        #expect(try InspectedState(inspection) == known, "before call \(place)")
      }
      isOver = count.value < place
      call += 1
    }
    print("A log that is compacted before each of \(call) calls.")
  }

  private struct Progress: Sendable {
    var acknowledged = 0
    var begun = 0
    var isOver = false
  }

  /// The inspection takes no lock and changes nothing, and sees the state after some commit.
  ///
  /// A commit in progress is not visible yet.
  @Test func `a store is inspected while it is written`() async throws {
    let disk = SimulatedDisk()
    let progress = Shared(Progress())
    let states = (0..<UInt64(60 + (try Effort().operations(240)))).reduce(into: [StoredState()]) {
      states, seed in
      states.append(states[states.count - 1].changed(seed: seed))
    }
    let store = try await FileStore.small(in: disk)
    let writer = Task.detached {
      for commit in 1..<states.count {
        progress.change { $0.begun = commit }
        try await store.apply(states[commit - 1].changes(to: states[commit]))
        progress.change { $0.acknowledged = commit }
        if commit.isMultiple(of: 40) { try await store.compact() }
        await Task.yield()
      }
    }
    let ending = Task.detached {
      _ = await writer.result
      progress.change { $0.isOver = true }
    }
    let known = try states.map { try InspectedState($0) }
    var (looks, moments) = (0, Set<Int>())
    while !progress.value.isOver || looks == 0 {
      let least = progress.value.acknowledged
      let inspection = try Inspection(of: "/store", in: disk, readsAll: looks.isMultiple(of: 2))
      let most = progress.value.begun
      let state = try InspectedState(inspection)
      #expect(inspection.damage.isEmpty, "\(inspection.damage)")
      #expect(known[least...most].contains(state), "after commits \(least) to \(most)")
      looks += 1
      moments.insert(least)
      await Task.yield()
    }
    await ending.value
    try await writer.value
    print("A store that is written: \(looks) looks, at \(moments.count) moments.")
    try await states[states.count - 1].verify(store)
  }
}

extension StoredState {
  init(notes: [Int: StoredNote]) {
    self.init()
    self.notes = notes
  }
}
