import KinshipTestSupport

@testable import Kinship

/// The frames of a snapshot, for other arrangements.
struct SnapshotSurgery {
  var frames: [(kind: UInt8, payload: [UInt8])] = []

  /// Takes a snapshot apart.
  init(_ bytes: [UInt8]) throws {
    let disk = SnapshotLab.disk(bytes)
    let file = try disk.openDirectory("/d").open("family.kinship", .read)
    var reader = FrameReader(file, path: "x", to: bytes.count, salvages: false)
    try reader.readHeader(of: .snapshot)
    while let frame = try reader.next() { frames.append((frame.kind, frame.payload)) }
  }

  /// Takes a small snapshot apart that contains every kind of frame.
  init(coder: any RecordCoder) async throws {
    let lab = try await SnapshotLab(count: 4)
    let lease = lab.cache.lease([Ref<TestPerson>(1)], named: "home")
    _ = try await lab.cache.find(Ref<TestSource>("unknown"))
    var list = lab.cache.observe(RecordQuery<TestPerson>()).makeAsyncIterator()
    _ = try await list.next()
    try await lab.save(coder: coder)
    withExtendedLifetime(list) {}
    lease.end()
    try self.init(lab.bytes)
  }

  /// The snapshot, with all checksums correct.
  var bytes: [UInt8] {
    var bytes = FileHeader(.snapshot).bytes
    for (kind, payload) in frames {
      bytes += FrameHeader(kind: kind, of: payload).bytes(at: bytes.count) + payload
    }
    return bytes
  }

  /// The snapshot with its records twice.
  func repeatingRecords() throws -> [UInt8] {
    var copy = self
    let records = frames.filter { $0.kind == SnapshotFrame.records.rawValue }
    copy.frames.insert(contentsOf: records, at: frames.count - 1)
    var footer = try SnapshotFooter(of: frames[frames.count - 1].payload)
    footer.records *= 2
    copy.frames[copy.frames.count - 1].payload = footer.payload
    return copy.bytes
  }

  /// The snapshot with some bytes of some frames changed, inserted or removed, or frames moved.
  func mutated(using generator: inout SplitMix64) -> [UInt8] {
    var copy = self
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let frame = Int.random(in: 0..<copy.frames.count, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: copy.frames[frame].kind = UInt8.random(in: 0...8, using: &generator)
      case 1: copy.frames.swapAt(frame, Int.random(in: 0..<copy.frames.count, using: &generator))
      case 2: copy.frames.insert(copy.frames[frame], at: 0)
      case 3 where copy.frames.count > 1: copy.frames.remove(at: frame)
      case 4..<7 where copy.frames[frame].kind == SnapshotFrame.records.rawValue:
        copy.frames[frame].payload = Self.mutatedBlock(
          copy.frames[frame].payload, using: &generator)
      default: Self.mutate(&copy.frames[frame].payload, using: &generator)
      }
    }
    return copy.bytes
  }

  /// The payload of a block with some bytes changed, and the checksums within repaired.
  static func mutatedBlock(_ payload: [UInt8], using generator: inout SplitMix64) -> [UInt8] {
    var mutated = payload
    for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&mutated, using: &generator) }
    guard let end = endOfPreface(mutated), end + 4 <= mutated.count else { return mutated }
    let checksum = CRC32C.checksum(of: Array(mutated[..<end]))
    withUnsafeBytes(of: checksum.littleEndian) { mutated.replaceSubrange(end..<end + 4, with: $0) }
    return mutated
  }

  /// The place of the checksum of the part before the records.
  private static func endOfPreface(_ payload: [UInt8]) -> Int? {
    payload.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, of: "x", at: 0)
      do throws(KinshipError) {
        _ = try (reader.readNumber(), reader.readNumber())
        for _ in 0..<(try reader.readCount()) { _ = try reader.readText() }
        _ = try reader.readCount()
        return reader.offset
      } catch {
        return nil
      }
    }
  }

  private static func mutate(_ payload: inout [UInt8], using generator: inout SplitMix64) {
    let position = Int.random(in: 0...payload.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0 where position < payload.count:
      payload[position] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    case 1 where position < payload.count:
      payload[position] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
    case 2 where position < payload.count:
      let end = min(payload.count, position + Int.random(in: 1...4, using: &generator))
      payload.removeSubrange(position..<end)
    default:
      payload.insert(UInt8.random(in: 0...255, using: &generator), at: position)
    }
  }
}

extension SnapshotFooter {
  fileprivate init(of payload: [UInt8]) throws {
    self = try payload.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, of: "x", at: 0)
      return try SnapshotFooter(from: &reader)
    }
  }
}
