import Foundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// Law F3: a damaged byte is a typed error, or a salvage that is reported.
@Suite(.tags(.lawF3))
struct SnapshotDamageTests {
  /// Restores bytes, in a salvage or not, and checks the result.
  ///
  /// - Returns: Whether damage was noticed.
  private func isNoticed(
    _ bytes: [UInt8], _ original: FamilyContents, salvaging: Bool, ordered isOrdered: Bool = true
  ) async throws -> Bool {
    var options = RestoreOptions()
    options.damage = salvaging ? .salvage : .refuse
    let cache = try SnapshotLab.emptyCache()
    do {
      let report = try await SnapshotLab.restore(
        into: cache, from: SnapshotLab.disk(bytes), options)
      let contents = await FamilyContents(of: cache)
      #expect(contents.isPart(of: original, ordered: isOrdered))
      return !report.failures.isEmpty
    } catch let error as KinshipError {
      // A rejected snapshot restores nothing.
      let count = cache.statistics.count
      #expect(salvaging || count == 0, "\(error)")
      return true
    }
  }

  @Test(arguments: SnapshotLab.coders)
  func `every flipped bit of a snapshot is detected`(coder: any RecordCoder) async throws {
    let lab = try await SnapshotLab(count: 3)
    try await lab.save(coder: coder)
    let (bytes, original) = (lab.bytes, await FamilyContents(of: lab.cache))
    var unnoticed: [Int] = []
    let bits = try Effort().some(of: 0..<bytes.count * 8)
    for bit in bits {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      for salvaging in [false, true]
      where try await !isNoticed(damaged, original, salvaging: salvaging) {
        unnoticed.append(bit)
      }
    }
    #expect(unnoticed.isEmpty)
    print("Snapshot (\(coder.name)): each of \(bits.count) bits flipped, all noticed.")
  }

  @Test(arguments: SnapshotLab.coders)
  func `every cut of a snapshot is detected`(coder: any RecordCoder) async throws {
    let lab = try await SnapshotLab(count: 3)
    try await lab.save(coder: coder)
    let (bytes, original) = (lab.bytes, await FamilyContents(of: lab.cache))
    for length in try Effort().some(of: 0..<bytes.count) {
      for salvaging in [false, true] {
        #expect(
          try await isNoticed(Array(bytes[..<length]), original, salvaging: salvaging),
          "cut at \(length)")
      }
    }
    #expect(try await isNoticed(bytes + [0], original, salvaging: false))
    #expect(try await !isNoticed(bytes, original, salvaging: true))
  }

  @Test(arguments: SnapshotLab.coders)
  func `moved bytes in a snapshot are detected`(coder: any RecordCoder) async throws {
    let lab = try await SnapshotLab(count: 200)
    try await lab.save(coder: coder)
    let (bytes, original) = (lab.bytes, await FamilyContents(of: lab.cache))
    let spans = bytes.spansOfFrames.map { FileMutation.Span(file: "snapshot", range: $0) }
    for seed in try Effort().seeds(1_000) {
      var generator = SplitMix64(seed: seed)
      var files = ["snapshot": bytes]
      let mutation = FileMutation.random(of: files, spans: spans, using: &generator)
      mutation.apply(to: &files)
      guard let mutated = files["snapshot"], mutated != bytes else { continue }
      for salvaging in [false, true] {
        // Records of one length that swap places within a block survive a salvage, in another
        // order.
        let isNoticed = try await isNoticed(
          mutated, original, salvaging: salvaging, ordered: !salvaging)
        #expect(isNoticed, "seed \(seed): \(mutation)")
      }
    }
  }

  @Test(arguments: SnapshotLab.coders)
  func `nothing may follow the footer of a snapshot`(coder: any RecordCoder) async throws {
    let surgery = try await SnapshotSurgery(coder: coder)
    let lab = try await SnapshotLab(count: 4)
    let original = await FamilyContents(of: lab.cache)
    #expect(try await !isNoticed(surgery.bytes, original, salvaging: false))
    for frame in surgery.frames {
      var longer = surgery
      longer.frames.append(frame)
      let kind: Comment = "a frame of kind \(frame.kind) at the end"
      #expect(try await isNoticed(longer.bytes, original, salvaging: false), kind)
    }
  }

  /// One damaged record affects no other one.
  @Test func `a salvage loses only the damaged record`() async throws {
    let lab = try await SnapshotLab(count: 3_000)
    try await lab.save()
    var bytes = lab.bytes
    let name = try #require(bytes.firstRange(of: Array("Person 1234".utf8)))
    bytes[name.lowerBound + 8] = UInt8(ascii: "9")
    var options = RestoreOptions()
    options.damage = .salvage
    let cache = try SnapshotLab.emptyCache()
    let report = try await SnapshotLab.restore(
      into: cache, from: SnapshotLab.disk(bytes), options)
    #expect(report.restored == 4_499)
    #expect(cache.peek(Ref<TestPerson>(1_234)) == nil)
    let offsets = report.failures.map { failure in
      if case .file(.damaged(let damage)) = failure { damage.offset } else { -1 }
    }
    #expect(offsets.count == 3, "the frame, the record, and the number of records")
    #expect(offsets.contains { abs($0 - name.lowerBound) < 100 })
  }

  /// After a frame that cannot be read, the next one is found.
  @Test func `a salvage continues after damage`() async throws {
    let lab = try await SnapshotLab(count: 3_000)
    try await lab.save()
    var bytes = lab.bytes
    let middle = bytes.count / 2
    for offset in middle..<middle + 60_000 where offset < bytes.count {
      bytes[offset] = UInt8(truncatingIfNeeded: offset &* 31)
    }
    var options = RestoreOptions()
    options.damage = .salvage
    let cache = try SnapshotLab.emptyCache()
    let report = try await SnapshotLab.restore(
      into: cache, from: SnapshotLab.disk(bytes), options)
    #expect(report.restored > 1_000 && report.restored < 4_500)
    #expect(!report.failures.isEmpty)
    #expect(await FamilyContents(of: cache).isPart(of: FamilyContents(of: lab.cache)))
  }

  @Test func `a duplicate id in a snapshot is rejected`() async throws {
    let lab = try await SnapshotLab(count: 3)
    try await lab.save()
    // The frame of records is repeated in place of the footer, with a footer that counts both.
    let bytes = try SnapshotSurgery(lab.bytes).repeatingRecords()
    let error = await #expect(throws: KinshipError.self) {
      try await SnapshotLab.restore(
        into: SnapshotLab.emptyCache(), from: SnapshotLab.disk(bytes))
    }
    guard case .file(.damaged(let damage)) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(damage.cause == "the record is stored twice")
    var options = RestoreOptions()
    options.damage = .salvage
    let report = try await SnapshotLab.restore(
      into: SnapshotLab.emptyCache(), from: SnapshotLab.disk(bytes), options)
    #expect(report.restored == 5)
    #expect(report.failures.count == 5)
  }

  /// Bytes are changed, and all checksums repaired, so that only decoding can reject them.
  @Test func `no snapshot with correct checksums traps`() async throws {
    let count = try Effort().operations(300)
    var outcomes: [String: Int] = [:]
    for coder in SnapshotLab.coders {
      let surgery = try await SnapshotSurgery(coder: coder)
      for seed in 0..<UInt64(count) {
        var generator = SplitMix64(seed: seed)
        let bytes = surgery.mutated(using: &generator)
        var options = RestoreOptions()
        options.damage = Bool.random(using: &generator) ? .refuse : .salvage
        do {
          let cache = try SnapshotLab.emptyCache()
          let report = try await SnapshotLab.restore(
            into: cache, from: SnapshotLab.disk(bytes), options)
          outcomes[report.failures.isEmpty ? "read" : "salvaged", default: 0] += 1
          #expect(await cache.audit().isEmpty)
        } catch is KinshipError {
          outcomes["refused", default: 0] += 1
        }
      }
    }
    print("Snapshot: \(2 * count) mutations with right checksums: \(outcomes)")
    #expect(outcomes["refused", default: 0] + outcomes["salvaged", default: 0] > 0)
  }

  /// The same for blocks of records alone, with many mutations.
  @Test func `no block of records with correct checksums traps`() async throws {
    for coder in SnapshotLab.coders { _ = try await BlockMutations.run(coder) }
  }
}
