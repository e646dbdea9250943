import Foundation
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipTrials

/// Each fault is reported by type, id and cause, and nothing is lost.
struct SnapshotErrorTests {
  struct Measure: GraphRecord, Codable, Equatable {
    let id: Int
    var value: Double
  }

  struct Opaque: GraphRecord {
    let id: Int
  }

  private func makeDisk() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    try disk.tryMakeDirectory("/d")
    return disk
  }

  private func measures() async throws -> GraphCache {
    let cache = try GraphCache(for: Measure.self)
    for id in 0..<10 { try await cache.put(Measure(id: id, value: id == 7 ? .nan : Double(id))) }
    return cache
  }

  @Test func `a record that cannot be encoded is named and left out`() async throws {
    let (cache, disk) = (try await measures(), try makeDisk())
    let report = try await cache.snapshot(to: "/d/m", in: disk, at: .now, coder: .json)
    #expect(report.records == 9)
    #expect(report.failures.count == 1)
    guard case .untranslatable("Measure", let id, "value", _) = report.failures.first else {
      Issue.record("\(report.failures)")
      return
    }
    #expect(id as? Int == 7)
    let restored = try GraphCache(for: Measure.self)
    #expect(try await restored.restore(from: "/d/m", in: disk, at: .now).restored == 9)
    #expect(await restored.hottest(.max).map { $0.id as? Int } == [9, 8, 6, 5, 4, 3, 2, 1, 0])
  }

  @Test func `a snapshot can require all records`() async throws {
    let (cache, disk) = (try await measures(), try makeDisk())
    _ = try await cache.snapshot(to: "/d/m", in: disk, at: .now, coder: .compact, requiresAll: true)
    let old = disk.files(in: "/d")
    let error = await #expect(throws: KinshipError.self) {
      _ = try await cache.snapshot(to: "/d/m", in: disk, at: .now, coder: .json, requiresAll: true)
    }
    #expect(error?.description.contains("Measure(7).value") == true)
    #expect(disk.files(in: "/d") == old)
    let restored = try GraphCache(for: Measure.self)
    _ = try await restored.restore(from: "/d/m", in: disk, at: .now)
    #expect(restored.peek(Ref<Measure>(7))?.value.isNaN == true)
  }

  @Test func `a type that is not Codable is named`() async throws {
    let (cache, disk) = (try GraphCache(for: Measure.self, Opaque.self), try makeDisk())
    let error = await #expect(throws: KinshipError.self) {
      _ = try await cache.snapshot(to: "/d/m", in: disk, at: .now)
    }
    guard case .invalidSchema(.notCodable("Opaque")) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(disk.files(in: "/d").isEmpty)
  }

  @Test func `a missing directory or a link is rejected`() async throws {
    let cache = try await measures()
    let directory = try TemporaryDirectory()
    await #expect(throws: KinshipError.self) {
      try await cache.snapshot(to: directory.url.appending(path: "nowhere/m"))
    }
    let error = await #expect(throws: KinshipError.self) {
      _ = try await cache.restore(from: directory.url.appending(path: "nothing"))
    }
    guard case .file(.failed(_, let cause)) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect((cause as? SystemError)?.code == SystemErrorCode.missing)
    let link = directory.url.appending(path: "link")
    try await cache.snapshot(to: directory.url.appending(path: "m"))
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: directory.url.appending(path: "m"))
    await #expect(throws: KinshipError.self) { try await cache.snapshot(to: link) }
    await #expect(throws: KinshipError.self) { _ = try await cache.restore(from: link) }
  }

  @Test func `a snapshot's size, kind, version and coder are checked`() async throws {
    let (cache, disk) = (try await measures(), try makeDisk())
    _ = try await cache.snapshot(to: "/d/m", in: disk, at: .now)
    let bytes = disk.files(in: "/d")["m"] ?? []
    var options = RestoreOptions()
    options.maximumSize = bytes.count - 1
    guard
      case .file(.tooLarge(_, bytes.count, options.maximumSize)) = try await failure(
        on: disk, bytes, options)
    else {
      Issue.record("a large file was read")
      return
    }

    for foreign in [Array("Dear diary, ".utf8), FileHeader(.log).bytes] {
      let error = try await failure(on: disk, foreign + bytes.dropFirst(foreign.count))
      guard case .file(.foreign) = error else {
        Issue.record("\(error as Any)")
        return
      }
    }

    var newer = FileHeader.magic + [99, 0, FileHeader.Kind.snapshot.rawValue, 0]
    newer.append(littleEndian: CRC32C.checksum(of: newer))
    let newest = FileHeader.Kind.snapshot.newestVersion
    guard case .file(.newerFormat(_, 99, newest)) = try await failure(on: disk, newer) else {
      Issue.record("a newer format was read")
      return
    }

    struct Other: RecordCoder {
      var name: String { "other" }
      func makeEncoder(keys: [String]) -> any RecordEncoder {
        CompactCoder().makeEncoder(keys: keys)
      }
      func makeDecoder(keys: [String]) -> any RecordDecoder {
        CompactCoder().makeDecoder(keys: keys)
      }
    }
    _ = try await cache.snapshot(to: "/d/other", in: disk, at: .now, coder: Other())
    let other = disk.files(in: "/d")["other"] ?? []
    guard case .file(.unknownCoder(_, "other")) = try await failure(on: disk, other) else {
      Issue.record("an unknown coder was used")
      return
    }
    options = RestoreOptions()
    options.coder = Other()
    let report = try await GraphCache(for: Measure.self).restore(
      from: "/d/other", in: disk, at: .now, options)
    #expect(report.restored == 10)
  }

  /// The reason why bytes cannot be restored.
  private func failure(
    on disk: SimulatedDisk, _ bytes: [UInt8], _ options: RestoreOptions = RestoreOptions()
  ) async throws -> KinshipError? {
    disk.put(bytes, "x", in: "/d")
    let cache = try GraphCache(for: Measure.self)
    do {
      _ = try await cache.restore(from: "/d/x", in: disk, at: .now, options)
      return nil
    } catch let error as KinshipError {
      return error
    }
  }

  @Test func `nothing is restored from a truncated file`() async throws {
    let lab = try await SnapshotLab()
    try await lab.save()
    let disk = SnapshotLab.disk(Array(lab.bytes.dropLast()))
    let cache = try SnapshotLab.emptyCache()
    await #expect(throws: KinshipError.self) {
      try await SnapshotLab.restore(into: cache, from: disk)
    }
    #expect(cache.count == 0)
  }

  @Test func `a file may be exactly as large as the limit`() async throws {
    let lab = try await SnapshotLab()
    try await lab.save()
    var options = RestoreOptions()
    options.maximumSize = lab.bytes.count
    let report = try await SnapshotLab.restore(
      into: SnapshotLab.emptyCache(), from: lab.disk, options)
    #expect(report.restored == lab.cache.count)
    options.maximumSize -= 1
    let (cache, tooSmall) = (try SnapshotLab.emptyCache(), options)
    let error = await #expect(throws: KinshipError.self) {
      try await SnapshotLab.restore(into: cache, from: lab.disk, tooSmall)
    }
    guard case .file(.tooLarge) = error else { throw error ?? .misuse(.closed(path: "")) }
  }

  @Test func `a salvage names the place of a missing frame`() async throws {
    let lab = try await SnapshotLab()
    try await lab.save()
    var bytes = lab.bytes
    let headers = bytes.indices.filter { offset in
      bytes[offset...].withUnsafeBytes { FrameHeader($0, at: offset) } != nil
    }
    bytes[try #require(headers.dropFirst().first)] ^= 1
    var options = RestoreOptions()
    options.damage = .salvage
    let report = try await SnapshotLab.restore(
      into: SnapshotLab.emptyCache(), from: SnapshotLab.disk(bytes), options)
    let causes = report.failures.map { failure in
      if case .file(.damaged(let damage)) = failure { damage.cause } else { "\(failure)" }
    }
    #expect(causes.contains("a frame is missing"))
  }
}
