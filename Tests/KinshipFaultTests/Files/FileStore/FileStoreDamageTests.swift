import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Tests of a store whose files differ from what was written.
@Suite(.dedicatedThreads, .tags(.lawF3))
struct FileStoreDamageTests {
  static let state: StoredState = {
    var state = StoredState()
    for id in 1...4 { state.notes[id] = StoredNote(id: id, text: "note \(id)", next: Ref(id - 1)) }
    let label = StoredLabel(1, value: 0.5)
    state.labels[label.id] = label
    return state
  }()

  /// The files of a store with a few commits.
  static func files(closing isClosing: Bool, smallestSegment: Int = 1_024) async throws
    -> [String: [UInt8]]
  {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk, smallestSegment: smallestSegment)
    var first = StoredState()
    first.notes = Self.state.notes.filter { $0.key < 3 }
    first.notes[9] = StoredNote(id: 9, text: "to be deleted")
    try await store.apply(StoredState().changes(to: first))
    var second = first
    second.notes[9] = nil
    second.notes[3] = Self.state.notes[3]
    try await store.apply(first.changes(to: second))
    try await store.apply(second.changes(to: Self.state))
    if isClosing { try await store.close() }
    return disk.files(in: "/store").filter { $0.key != "lock" }
  }

  static func disk(_ files: [String: [UInt8]]) -> SimulatedDisk {
    let disk = SimulatedDisk()
    for (name, bytes) in files { disk.put(bytes, name, in: "/store") }
    return disk
  }

  /// The result of opening files that may be damaged.
  enum Outcome: Hashable {
    case asWritten, refused, cut, salvaged
  }

  /// Opens files, and verifies that they contain nothing that was not written, and miss nothing
  /// without a report.
  static func outcome(
    _ files: [String: [UInt8]], salvaging isSalvaging: Bool
  ) async throws -> Set<Outcome> {
    var outcomes: Set<Outcome> = []
    do {
      let store = try await FileStore.small(in: disk(files))
      let found = try await StoredState(of: store)
      if found == state {
        outcomes.insert(.asWritten)
      } else {
        try verify(store.report.cutBytes > 0, "something else is found: \(found)")
        outcomes.insert(.cut)
      }
    } catch KinshipError.file(.damaged), KinshipError.file(.foreign),
      KinshipError.file(.newerFormat)
    {
      outcomes.insert(.refused)
    }
    guard isSalvaging else { return outcomes }
    do {
      let disk = disk(files)
      let store = try await FileStore.small(in: disk, damage: .salvage)
      let found = try await StoredState(of: store)
      for (id, note) in found.notes where state.notes[id] != note {
        // If a deletion or a change is lost, the earlier record remains.
        try verify(id == 9 || note.text == "note \(id)", "nobody has written \(note)")
      }
      if found != state {
        try verify(
          store.report.cutBytes > 0 || !store.report.damage.isEmpty, "nobody reports what is lost")
        outcomes.insert(.salvaged)
      }
      try verifyEqual(
        try await StoredState(of: .small(in: disk.copy())), found, "what is left of a salvage")
    } catch KinshipError.file(.foreign), KinshipError.file(.newerFormat) {}
    return outcomes
  }

  @Test(arguments: [true, false])
  func `every flipped bit of a store is detected or harmless`(isClosed: Bool) async throws {
    let files = try await Self.files(closing: isClosed)
    var tally: [Outcome: Int] = [:]
    for (name, bytes) in files {
      for bit in try Effort().some(of: 0..<bytes.count * 8) {
        var damaged = files
        damaged[name]?[bit / 8] ^= 1 << UInt8(bit % 8)
        do {
          let outcomes = try await Self.outcome(damaged, salvaging: bit % 8 == bit / 8 % 8)
          try verify(!outcomes.contains(.cut), "what is known to be whole is cut")
          for outcome in outcomes { tally[outcome, default: 0] += 1 }
        } catch { throw Mismatch("bit \(bit) of \(name): \(error)") }
      }
    }
    print("Flipped bits, closed \(isClosed): \(tally)")
    #expect(tally[.asWritten, default: 0] > 0)
    #expect(tally[.refused, default: 0] > 0)
  }

  @Test(arguments: [true, false])
  func `every cut of a store is detected or harmless`(isClosed: Bool) async throws {
    let files = try await Self.files(closing: isClosed)
    var tally: [Outcome: Int] = [:]
    for (name, bytes) in files {
      for count in try Effort().some(of: 0..<bytes.count) {
        var damaged = files
        damaged[name] = Array(bytes.prefix(count))
        do {
          let outcomes = try await Self.outcome(damaged, salvaging: count.isMultiple(of: 3))
          if name.hasSuffix(".kinlog") {
            try verifyEqual(outcomes.contains(.refused), true, "refused")
          }
          for outcome in outcomes { tally[outcome, default: 0] += 1 }
        } catch { throw Mismatch("\(count) bytes of \(name): \(error)") }
      }
    }
    print("Cuts, closed \(isClosed): \(tally)")
  }

  /// Damage that opening and reading do not notice.
  @Test func `verifying a store finds every flipped bit of its log`() async throws {
    let files = try await Self.files(closing: true)
    try await FileStore.small(in: Self.disk(files)).verify()
    var found = 0
    for (name, bytes) in files where name.hasSuffix(".kinlog") {
      for bit in try Effort().some(of: 0..<bytes.count * 8) {
        var damaged = files
        damaged[name]?[bit / 8] ^= 1 << UInt8(bit % 8)
        let store: FileStore
        do { store = try await FileStore.small(in: Self.disk(damaged)) } catch is KinshipError {
          continue
        }
        await #expect("bit \(bit) of \(name)") {
          try await store.verify()
        } throws: { error in
          if case KinshipError.file(.damaged) = error { true } else { false }
        }
        found += 1
      }
    }
    print("Flipped bits that opening did not come upon, and verifying did: \(found)")
    #expect(found > 0)
  }

  @Test func `a missing segment is detected`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk)
    var state = StoredState()
    for seed in 0..<40 {
      let next = state.changed(seed: UInt64(seed))
      try await store.apply(state.changes(to: next))
      state = next
    }
    try await store.close()
    let names = disk.files(in: "/store").keys.filter { $0.hasSuffix(".kinlog") }.sorted()
    #expect(names.count > 2)
    for name in names {
      let left = disk.copy()
      left.take(name, from: "/store")
      // The mark knows of the first and the last one.
      left.take(name.replacing(".kinlog", with: ".kinhint"), from: "/store")
      let error = await #expect(throws: KinshipError.self) {
        _ = try await FileStore.small(in: left)
      }
      guard case .file(.damaged) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      let salvaged = try await FileStore.small(in: left, damage: .salvage)
      #expect(!salvaged.report.damage.isEmpty)
      // It was reported, and is not reported missing again.
      let again = try await FileStore.small(in: left.copy())
      try verifyEqual(
        try await StoredState(of: again), try await StoredState(of: salvaged),
        "what is left of a salvage")
    }
  }

  /// Bytes that no store has written, but with correct checksums.
  @Test func `no bytes with correct checksums trap`() async throws {
    let files = try await Self.files(closing: true)
    let count = try Effort().operations(6_000)
    let tally = try await withThrowingTaskGroup(of: [String: Int].self) { group in
      for part in 0..<2 {
        group.addTask {
          var generator = SplitMix64(seed: UInt64(part))
          var tally: [String: Int] = [:]
          for _ in 0..<count / 2 + 1 {
            let mutated = files.mapValues { $0.mutatedFrames(using: &generator) }
            do {
              let store = try await FileStore.small(
                in: Self.disk(mutated), damage: generator.chance(0.5) ? .refuse : .salvage)
              let found = try await StoredState(of: store)
              try await store.apply(found.changes(to: found.changed(seed: 1)))
              try await store.compact()
              tally["opened", default: 0] += 1
            } catch let error as KinshipError {
              let name = String(describing: error).prefix { $0 != "(" && $0 != " " }
              tally[error.isOfFiles ? "refused" : String(name), default: 0] += 1
            }
          }
          return tally
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    print("Mutations with right checksums: \(tally)")
    #expect(tally["opened", default: 0] > 0)
  }

  /// Without the mark, the hint of the last segment distinguishes a cut from a torn commit.
  @Test func `a hint records where its segment ended`() async throws {
    var files = try await Self.files(closing: true)
    files["mark"] = nil
    let log = try #require(files.keys.filter { $0.hasSuffix(".kinlog") }.max())
    files[log]?.removeLast()
    #expect(try await Self.outcome(files, salvaging: false) == [.refused])
  }
}

extension KinshipError {
  /// Whether the error reports damaged files.
  fileprivate var isOfFiles: Bool {
    switch self {
    case .file(.damaged), .file(.failed), .file(.foreign), .file(.newerFormat),
      .file(.newerVersion), .file(.unknownCoder), .invalidSchema(.noMigration),
      .invalidSchema(.unknownType), .untranslatable:
      true
    default: false
    }
  }
}

extension [UInt8] {
  /// The bytes of a file with changes in the payloads of its frames, and correct checksums.
  fileprivate func mutatedFrames(using generator: inout SplitMix64) -> [UInt8] {
    var bytes = self
    var offset = FileHeader.size
    while offset + FrameHeader.size <= bytes.count {
      let header = bytes.span.bytes.withUnsafeBytes { all in
        FrameHeader(UnsafeRawBufferPointer(rebasing: all[offset...]), at: offset)
      }
      guard let header, offset + FrameHeader.size + header.length <= bytes.count else { break }
      let payload = offset + FrameHeader.size..<offset + FrameHeader.size + header.length
      if generator.chance(0.4) {
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          guard let place = payload.randomElement(using: &generator) else { continue }
          bytes[place] = generator.chance(0.3) ? 255 : UInt8.random(in: 0...40, using: &generator)
        }
        if generator.chance(0.5) { bytes.repairEntries(in: payload) }
        let new = FrameHeader(kind: header.kind, of: Array(bytes[payload]))
        bytes.replaceSubrange(
          offset..<offset + FrameHeader.size, with: new.bytes(at: offset))
      }
      offset = payload.upperBound
    }
    return bytes
  }

  /// Repairs the checksums of those records in a commit that can be found.
  private mutating func repairEntries(in payload: Range<Int>) {
    for start in payload {
      for end in stride(
        from: start + 12, through: Swift.min(start + 60, payload.upperBound - 4), by: 1)
      {
        guard self[start] == 3 else { break }
        if end + 4 == payload.upperBound || self[end + 4] == 3 || self[end + 4] == 2 {
          // With the number of the segment, as at the beginning of its first frame, and the place.
          var place = [self[FileHeader.size + FrameHeader.size], 0, 0, 0]
          place.append(littleEndian: UInt64(start))
          let checksum = CRC32C.checksum(of: Array(self[start..<end]) + place)
          replaceSubrange(
            end..<end + 4, with: Swift.withUnsafeBytes(of: checksum.littleEndian) { Array($0) })
          return
        }
      }
    }
  }
}
