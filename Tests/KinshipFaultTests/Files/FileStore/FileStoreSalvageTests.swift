import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipFileStore
@testable import KinshipTrials

/// Damage that reading does not reach: it neither comes back nor harms other records.
struct FileStoreSalvageTests {
  /// No hint describes the log.
  ///
  /// The first commit names types and keys, the second does not.
  @Test(arguments: ["json", "compact"])
  func `damage within a record costs that record alone`(coder: String) async throws {
    let coder: any RecordCoder = coder == "json" ? .json : .compact
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk, coder: coder, smallestSegment: 1 << 16)
    let notes = (1...12).map { StoredNote(id: $0, text: "note \($0)", next: Ref($0 % 5)) }
    try await store.apply(ChangeSet(inserting: Array(notes[..<6])))
    try await store.apply(
      ChangeSet(inserting: Array(notes[6...])).merging(ChangeSet(deleting: [notes[0]])))
    // The mark says that the last commit was on the disk.
    let files = disk.files(in: "/store").filter { $0.key != "lock" }
    let name = SegmentName.log(1)
    let bytes = try #require(files[name])
    let spans = bytes.spansOfFrames
    let records = spans.filter { span in
      bytes[span.lowerBound] == LogEntry.placed
        && spans.contains { $0 != span && $0.contains(span.lowerBound) }
    }
    #expect(records.count == 12)
    let written = Dictionary(uniqueKeysWithValues: notes.dropFirst().map { ($0.id, $0) })
    var tally: [Int: Int] = [:]
    for (number, record) in records.enumerated() {
      // Its first byte marks it as a record: a deletion would end before it.
      for bit in try Effort().some(of: (record.lowerBound + 1) * 8..<record.upperBound * 8) {
        var damaged = files
        damaged[name]?[bit / 8] ^= 1 << (bit % 8)
        // Another bit nearby, possibly beyond the record's end. Only in the first commit must the
        // part before its records be proven.
        let other = number < 6 || bit.isMultiple(of: 2) ? bit / 8 : bit / 8 + 11
        if other < records[11].upperBound { damaged[name]?[other] ^= 4 }
        let salvaged = try await FileStore.small(
          in: FileStoreDamageTests.disk(damaged), coder: coder, damage: .salvage)
        let found = try await StoredState(of: salvaged).notes
        let place: Comment = "bit \(bit) of record \(number): \(salvaged.report.damage)"
        if damaged == files { continue }
        #expect(!salvaged.report.damage.isEmpty, place)
        // A record without proof is not deleted.
        #expect(found.allSatisfy { written[$0] == $1 || $1 == notes[0] }, place)
        let lost = written.keys.count { found[$0] == nil }
        let hit = records.count { $0.contains(bit / 8) || $0.contains(other) }
        #expect(lost <= hit, place)
        tally[lost, default: 0] += 1
      }
    }
    print("Records that were lost, and how often: \(tally)")
  }

  /// Compaction also reads outdated records.
  @Test func `compaction works after a salvage`() async throws {
    var files = try await FileStoreDamageTests.files(closing: true)
    let name = try #require(files.keys.first { $0.hasSuffix(".kinlog") })
    let place = try #require(files[name]?.firstRange(of: Array("to be deleted".utf8)))
    files[name]?[place.lowerBound] ^= 1
    let refusing = try await FileStore.small(in: FileStoreDamageTests.disk(files))
    await #expect(throws: KinshipError.self) { try await refusing.compact() }
    let disk = FileStoreDamageTests.disk(files)
    let salvaged = try await FileStore.small(in: disk, damage: .salvage)
    #expect(salvaged.report.damage.count == 1)
    #expect(try await StoredState(of: salvaged) == FileStoreDamageTests.state)
    try await salvaged.compact()
    #expect(try await StoredState(of: salvaged) == FileStoreDamageTests.state)
    #expect(try await StoredState(of: .small(in: disk.copy())) == FileStoreDamageTests.state)
  }

  /// Only the hint knows of the records, because their commit was changed.
  @Test func `compaction keeps records that it cannot find`() async throws {
    var files = try await FileStoreDamageTests.files(closing: true)
    let name = try #require(files.keys.filter { $0.hasSuffix(".kinlog") }.min())
    let bytes = try #require(files[name])
    let (start, commit) = try bytes.span.bytes.withUnsafeBytes { all in
      let first = try #require(
        FrameHeader(UnsafeRawBufferPointer(rebasing: all[FileHeader.size...]), at: FileHeader.size))
      let start = FileHeader.size + FrameHeader.size + first.length
      let header = FrameHeader(UnsafeRawBufferPointer(rebasing: all[start...]), at: start)
      return (start, try #require(header))
    }
    let payload = start + FrameHeader.size
    let other = FrameHeader(kind: 1, of: Array(bytes[payload..<payload + commit.length]))
    files[name]?.replaceSubrange(start..<payload, with: other.bytes(at: start))
    let disk = FileStoreDamageTests.disk(files)
    let store = try await FileStore.small(in: disk)
    await #expect(throws: KinshipError.self) { try await store.compact() }
    #expect(try await StoredState(of: store) == FileStoreDamageTests.state)
    #expect(try await StoredState(of: .small(in: disk.copy())) == FileStoreDamageTests.state)
    let salvaged = try await FileStore.small(in: FileStoreDamageTests.disk(files), damage: .salvage)
    #expect(salvaged.report.damage.count == 1)
    try await salvaged.compact()
    #expect(try await StoredState(of: salvaged) == FileStoreDamageTests.state)
  }

  /// An entry in a sound commit whose record has another id, or whose own checksum is wrong.
  @Test(arguments: [true, false])
  func `compaction never makes a damaged record look sound`(isProven: Bool) async throws {
    var start: [UInt8] = [1] + [UInt8](repeating: 7, count: 8) + [1, 0]
    start.append(text: "json")
    var commit: [UInt8] = [1, 0, 0, 0, 0, 1]
    TypeDeclaration(of: StoredNote.self, number: 0, fields: []).write(to: &commit)
    commit.append(1)
    // The entry claims to be note 5.
    var entry: [UInt8] = [1, 0, 0, 10]
    var record: [UInt8] = []
    let note = StoredNote(id: isProven ? 6 : 5, text: "x")
    try JSONCoder().makeEncoder(keys: []).encode(note, into: &record)
    entry.append(varint: record.count)
    entry += record
    let checksum = CRC32C.checksum(of: entry)
    entry.append(littleEndian: isProven ? checksum : ~checksum)
    var file = FileHeader(.log).bytes
    for (kind, payload) in [(0x10, start), (0x11, commit + entry)] as [(UInt8, [UInt8])] {
      file += FrameHeader(kind: kind, of: payload).bytes(at: file.count) + payload
    }
    let disk = FileStoreDamageTests.disk(["0000000001.kinlog": file])
    let store = try await FileStore.small(in: disk, coder: isProven ? .compact : .json)
    await #expect(throws: KinshipError.self) { try await store.fetch(StoredNote.self, ids: [5]) }
    await #expect(throws: KinshipError.self) { try await store.compact() }
    let again = try await FileStore.small(in: disk.copy())
    await #expect(throws: KinshipError.self) { try await again.fetch(StoredNote.self, ids: [5]) }
    #expect(try await again.fetch(StoredNote.self, ids: [6]).isEmpty)
  }

  /// A hint that points from a label to a note.
  @Test func `a hint to a record of another type counts as damage`() async throws {
    var files = try await FileStoreDamageTests.files(closing: true, smallestSegment: 1 << 16)
    let name = try #require(files.keys.first { $0.hasSuffix(".kinhint") })
    let hint = try Hint(try #require(files[name]), path: name)
    var entries = HintEntries()
    let label = hint.vocabulary.types.firstIndex { $0.name == StoredLabel.recordName }
    var note = (offset: 0, length: 0)
    try hint.entries.forEach(path: name) { kind, type, id, place throws(KinshipError) in
      if kind == .put, type != label { note = place }
      let place = type == label ? note : place
      entries.append(
        kind, type: type, id: Array(id), offset: place.offset, length: place.length)
    }
    files[name] =
      Hint(
        number: hint.number, identity: hint.identity, end: hint.end,
        lastSequence: hint.lastSequence, vocabulary: hint.vocabulary, entries: entries
      ).bytes
    let store = try await FileStore.small(in: FileStoreDamageTests.disk(files))
    await #expect {
      try await store.fetch(RecordQuery<StoredLabel>())
    } throws: { error in
      let failures = (error as? PartialAnswer<StoredLabel>)?.failures ?? []
      guard case KinshipError.file(.damaged)? = failures.first?.cause else { return false }
      return failures.count == 1
    }
    let disk = FileStoreDamageTests.disk(files)
    let salvaged = try await FileStore.small(in: disk, damage: .salvage)
    #expect(salvaged.report.damage.count == 1)
    let again = try await FileStore.small(in: disk.copy())
    #expect(try await StoredState(of: again) == StoredState(of: salvaged))
  }

  /// How an entry of a hint points out of the described part.
  enum Astray: CaseIterable {
    case beforeTheCommits, behindTheEnd, acrossTheEnd, farBehind
  }

  /// The checksum of the hint is correct.
  @Test(arguments: Astray.allCases)
  func `a hint that points out of its segment is not used`(astray: Astray) async throws {
    var files = try await FileStoreDamageTests.files(closing: true, smallestSegment: 1 << 16)
    let name = try #require(files.keys.first { $0.hasSuffix(".kinhint") })
    let hint = try Hint(try #require(files[name]), path: name)
    var entries = HintEntries()
    try hint.entries.forEach(path: name) { kind, type, id, place throws(KinshipError) in
      var (offset, length) = place
      if kind == .put, entries.count == 0 {
        switch astray {
        case .beforeTheCommits: offset = FileHeader.size
        case .behindTheEnd: (offset, length) = (hint.end, 1)
        case .acrossTheEnd: length = hint.end - offset + 1
        case .farBehind: (offset, length) = (.max - 1, .max - 1)
        }
      }
      entries.append(kind, type: type, id: Array(id), offset: offset, length: length)
    }
    files[name] =
      Hint(
        number: hint.number, identity: hint.identity, end: hint.end,
        lastSequence: hint.lastSequence, vocabulary: hint.vocabulary, entries: entries
      ).bytes
    let store = try await FileStore.small(
      in: FileStoreDamageTests.disk(files), smallestSegment: 1 << 16)
    #expect(store.report.scannedSegments == 1)
    #expect(try await StoredState(of: store) == FileStoreDamageTests.state)
  }

  /// A segment with one commit, which puts note 5.
  private static func segment(
    _ number: UInt32, after previousEnd: Int, sequence: UInt64, _ text: String
  ) throws -> (bytes: [UInt8], commit: Range<Int>, hint: Hint) {
    var growth = VocabularyGrowth()
    growth.types = [TypeDeclaration(of: StoredNote.self, number: 0, fields: [])]
    let start = SegmentStart(
      number: number, identity: UInt64(number), firstSequence: sequence, previousEnd: previousEnd,
      coder: "json"
    ).payload
    var file = FileHeader(.log).bytes
    file += FrameHeader(kind: LogFrame.start, of: start).bytes(at: file.count) + start
    var record: [UInt8] = []
    try JSONCoder().makeEncoder(keys: []).encode(StoredNote(id: 5, text: text), into: &record)
    var commit = CommitHead(sequence: sequence, synced: 0, growth: growth, count: 1).bytes
    let head = commit.count
    LogEntry.append(.put, type: 0, id: [0, 10], record: record, to: &commit)
    let place = file.count + FrameHeader.size + head
    LogEntry.prove(head..<commit.count, in: &commit, at: place, of: number)
    let frame = FrameHeader(kind: LogFrame.commit, of: commit).bytes(at: file.count) + commit
    let range = file.count..<file.count + frame.count
    var entries = HintEntries()
    entries.append(.put, type: 0, id: [0, 10], offset: place, length: commit.count - head)
    let hint = Hint(
      number: number, identity: UInt64(number), end: range.upperBound, lastSequence: sequence,
      vocabulary: growth, entries: entries)
    return (file + frame, range, hint)
  }

  /// An earlier commit of the same record, in place of a later one.
  ///
  /// All its checksums are correct.
  @Test func `a commit copied from another segment is damage`() async throws {
    var end = 0
    // The segment contains the offset of its own end.
    for _ in 0..<2 { end = try Self.segment(2, after: end, sequence: 1, "old").bytes.count }
    let (old, range, _) = try Self.segment(2, after: end, sequence: 1, "old")
    let (new, commit, hint) = try Self.segment(3, after: old.count, sequence: 2, "new")
    #expect(range == commit)
    var files = [
      SegmentName.log(2): old, SegmentName.log(3): new, SegmentName.hint(3): hint.bytes,
    ]
    let whole = try await FileStore.small(in: FileStoreDamageTests.disk(files), coder: .json)
    #expect(try await whole.fetch(StoredNote.self, ids: [5]).map(\.text) == ["new"])
    files[SegmentName.log(3)]?.replaceSubrange(commit, with: old[range])
    let damaged = try await FileStore.small(in: FileStoreDamageTests.disk(files), coder: .json)
    await #expect {
      try await damaged.fetch(StoredNote.self, ids: [5])
    } throws: { error in
      guard case KinshipError.file(.damaged) = error else { return false }
      return true
    }
  }

  /// One record is damaged.
  ///
  /// Another one, which cannot be decoded, has another id in the hint.
  @Test func `records left out by a salvage stay out`() async throws {
    var growth = VocabularyGrowth()
    growth.types = [TypeDeclaration(of: StoredNote.self, number: 0, fields: [])]
    let start = SegmentStart(
      number: 1, identity: 7, firstSequence: 1, previousEnd: 0, coder: "json"
    ).payload
    var commit = CommitHead(sequence: 1, synced: 0, growth: growth, count: 2).bytes
    let head = commit.count
    LogEntry.append(.put, type: 0, id: [0, 10], record: [0x5B], to: &commit)
    let middle = commit.count
    LogEntry.append(.put, type: 0, id: [0, 12], record: [0x5B], to: &commit)
    let place = FileHeader.size + FrameHeader.size + start.count + FrameHeader.size
    LogEntry.prove(head..<middle, in: &commit, at: place + head, of: 1)
    LogEntry.prove(middle..<commit.count, in: &commit, at: place + middle, of: 1)
    commit[commit.count - 1] ^= 1
    var file = FileHeader(.log).bytes
    file += FrameHeader(kind: LogFrame.start, of: start).bytes(at: file.count) + start
    file += FrameHeader(kind: LogFrame.commit, of: commit).bytes(at: file.count)
    var entries = HintEntries()
    entries.append(
      .put, type: 0, id: [0, 14], offset: file.count + head, length: middle - head)
    entries.append(
      .put, type: 0, id: [0, 12], offset: file.count + middle, length: commit.count - middle)
    file += commit
    let hint = Hint(
      number: 1, identity: 7, end: file.count, lastSequence: 1, vocabulary: growth,
      entries: entries)
    let disk = FileStoreDamageTests.disk([
      SegmentName.log(1): file, SegmentName.hint(1): hint.bytes,
    ])
    let salvaged = try await FileStore.small(in: disk, coder: .json, damage: .salvage)
    #expect(salvaged.report.damage.count == 2)
    #expect(salvaged.report.records == 0)
    let again = try await FileStore.small(in: disk.copy())
    #expect(again.report.records == 0)
  }

  @Test func `a store of hints alone is damaged and salvages to nothing`() async throws {
    let files = try await FileStoreDamageTests.files(closing: true).filter {
      $0.key.hasSuffix(".kinhint")
    }
    #expect(!files.isEmpty)
    let disk = FileStoreDamageTests.disk(files)
    await #expect(throws: KinshipError.self) { _ = try await FileStore.small(in: disk) }
    let salvaged = try await FileStore.small(in: disk, damage: .salvage)
    #expect(!salvaged.report.damage.isEmpty)
    let again = try await FileStore.small(in: disk.copy())
    #expect(try await StoredState(of: again) == StoredState())
  }
}
