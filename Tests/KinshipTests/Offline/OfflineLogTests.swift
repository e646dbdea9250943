import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// The file of a queue, killed at each call and with each call failing.
@Suite(.dedicatedThreads, .tags(.lawA4, .lawF2, .lawF3))
struct OfflineLogTests {
  /// The contents of the queue: keys in their order, and the texts that each writes.
  typealias Model = [Queued]

  struct Queued: Equatable {
    let key: ChangeKey
    var text: String
  }

  private static let schema: GraphSchema = {
    do { return try GraphSchema(StoredNote.self) } catch { preconditionFailure("\(error)") }
  }()

  private static func disk() -> SimulatedDisk {
    let disk = SimulatedDisk()
    disk.put([], "x", in: "/d")
    return disk
  }

  private static func changes(_ text: String) -> ChangeSet {
    ChangeSet(inserting: [StoredNote(id: 1, text: text)])
  }

  private static func read(_ files: any FileSystem) async throws -> (Model, FileDamage?) {
    let log = OfflineLog(files: files, path: "/d", schema: schema)
    let (found, cut) = try await log.open()
    await log.close()
    return (
      found.map { Queued(key: $0.key, text: $0.changes.inserted(StoredNote.self)[0].text) }, cut
    )
  }

  enum Step: Command {
    case append(length: Int)
    /// Removes the first, and restates those after it.
    case settle(restates: Bool)
    case reopen

    static func random(using generator: inout SplitMix64) -> Step {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<6: .append(length: generator.chance(0.3) ? 20_000 : 10)
      case 6..<11: .settle(restates: generator.chance(0.3))
      default: .reopen
      }
    }
  }

  /// Runs the steps.
  ///
  /// Reports before each the acknowledged writes, and those after it.
  private static func run(
    _ steps: [Step], in files: any FileSystem, toleratesFailure: Bool = false,
    around: (_ before: Model, _ after: Model) -> Void
  ) async throws -> (model: Model, failed: Set<ChangeKey>) {
    var model: Model = []
    var failed: Set<ChangeKey> = []
    around([], [])
    func open() async throws -> OfflineLog {
      let log = OfflineLog(files: files, path: "/d", schema: schema)
      _ = try await log.open()
      return log
    }
    var log = try await open()
    for (number, step) in steps.enumerated() {
      var next = model
      do {
        switch step {
        case .append(let length):
          let text = String(repeating: "x", count: length) + "\(number)"
          let key = ChangeKey()
          next.append(Queued(key: key, text: text))
          around(model, next)
          do { try await log.append(changes(text), key) } catch {
            failed.insert(key)
            throw error
          }
        case .settle(let restates):
          guard !model.isEmpty else { continue }
          let first = next.removeFirst()
          if restates { for index in next.indices { next[index].text += "r" } }
          around(model, next)
          let others = next.map { OfflineLog.Found(key: $0.key, changes: changes($0.text)) }
          defer { model = next }
          try await log.settle([first.key], restating: restates ? others : [])
        case .reopen:
          around(model, model)
          await log.close()
          log = try await open()
        }
        model = next
      } catch {
        if !toleratesFailure { throw error }
      }
      around(model, model)
    }
    await log.close()
    return (model, failed)
  }

  /// A kill at any call leaves the log of before or after the step, and so does a loss of power.
  @Test func `a kill at any file call loses no acknowledged write`() async throws {
    try await Property.check(seeds: 12, steps: 30, generate: Step.random) { steps, seed in
      let disk = Self.disk()
      let around = Lock<(Model, Model)>(([], []))
      let moments = Lock<[(SimulatedDisk, Model, Model)]>([])
      let files = FaultyFiles(disk) { call in
        let (before, after) = around.withLock { $0 }
        let disks = [disk.copy(), disk.afterPowerLoss(seed: seed &+ UInt64(call.number))]
        moments.withLock { $0 += disks.map { ($0, before, after) } }
      }
      _ = try await Self.run(steps, in: files) { before, after in
        around.withLock { $0 = (before, after) }
      }
      for (disk, before, after) in moments.withLock({ $0 }) {
        let (found, _) = try await Self.read(disk)
        try verify(found == before || found == after, "a kill left \(found.map(\.text.count))")
        // The repaired log is correct.
        try verifyEqual(try await Self.read(disk).0, found, "what is found again")
      }
    }
  }

  @Test func `acknowledged writes survive any failure`() async throws {
    let steps: [Step] = [
      .append(length: 5), .append(length: 70_000), .append(length: 9), .settle(restates: true),
      .settle(restates: false), .append(length: 3), .settle(restates: false), .append(length: 4),
    ]
    let counting = FaultyFiles(Self.disk())
    _ = try await Self.run(steps, in: counting) { _, _ in }
    for call in try Effort().some(of: 1...counting.count) {
      for kind in FileFault.kinds {
        for fault in [FileFault.once(kind, at: call), .always(kind, from: call)] {
          let disk = Self.disk()
          let files = FaultyFiles(disk, fault: fault)
          let result: (model: Model, failed: Set<ChangeKey>)
          do {
            result = try await Self.run(steps, in: files, toleratesFailure: true) { _, _ in }
          } catch {
            // The file could not be opened.
            #expect(error is KinshipError)
            continue
          }
          let (found, _) = try await Self.read(disk)
          let keys = Set(found.map(\.key))
          #expect(
            result.model.allSatisfy { keys.contains($0.key) }, "\(fault): what was acknowledged")
          if fault.calls.count == 1 {
            #expect(keys.isDisjoint(with: result.failed), "\(fault): what has failed came back")
          }
        }
      }
    }
  }

  @Test func `every flipped bit is reported`() async throws {
    let disk = Self.disk()
    let (model, _) = try await Self.run(
      [.append(length: 3), .append(length: 40), .append(length: 5)], in: disk
    ) { _, _ in }
    let bytes = try #require(disk.files(in: "/d")["queue"])
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        let other = Self.disk()
        other.put(damaged, "queue", in: "/d")
        do {
          let (found, cut) = try await Self.read(other)
          #expect(cut != nil && found == Array(model.dropLast()), "byte \(index)")
        } catch {
          #expect(error is KinshipError)
          #expect(other.files(in: "/d")["queue"] == damaged)
        }
      }
    }
    for length in bytes.indices {
      let other = Self.disk()
      other.put(Array(bytes[..<length]), "queue", in: "/d")
      do {
        let (found, _) = try await Self.read(other)
        #expect(found == Array(model.prefix(found.count)))
      } catch { #expect(error is KinshipError) }
    }
  }

  @Test func `a file of a newer format is rejected`() async throws {
    let disk = Self.disk()
    disk.put(FileHeader(.queue, version: 2).bytes, "queue", in: "/d")
    let error = await #expect(throws: KinshipError.self) { try await Self.read(disk) }
    guard case .file(.newerFormat) = error else { throw error ?? .misuse(.closed(path: "")) }
  }

  @Test func `a record type of another version is rejected`() async throws {
    struct Newer: GraphRecord, Codable {
      let id: Int
      static var recordName: String { StoredNote.recordName }
      static var recordVersion: Int { StoredNote.recordVersion + 1 }
    }
    let newer = try GraphSchema(Newer.self)
    for (written, read, isNewer) in [(newer, Self.schema, true), (Self.schema, newer, false)] {
      let disk = Self.disk()
      let log = OfflineLog(files: disk, path: "/d", schema: written)
      _ = try await log.open()
      await log.close()
      let error = await #expect(throws: KinshipError.self) {
        try await OfflineLog(files: disk, path: "/d", schema: read).open()
      }
      switch error {
      case .file(.newerVersion): #expect(isNewer)
      case .invalidSchema(.noMigration): #expect(!isNewer)
      default: throw error ?? .misuse(.closed(path: ""))
      }
    }
  }

  @Test func `a pending file change of a settled write is dropped`() async throws {
    let disk = Self.disk()
    let files = FaultyFiles(disk)
    let log = OfflineLog(files: files, path: "/d", schema: Self.schema)
    _ = try await log.open()
    let key = ChangeKey()
    try await log.append(Self.changes("a"), key)
    files.fault = .always(.error(SystemErrorCode.noSpace), from: files.count + 1)
    await #expect(throws: KinshipError.self) {
      try await log.settle([], restating: [.init(key: key, changes: Self.changes("b"))])
    }
    files.fault = nil
    try await log.settle([key])
    await log.close()
    #expect(try await Self.read(disk).0 == [])
  }

  @Test func `a write that could not be synced is not found later`() async throws {
    let syncs = Lock<[Int]>([])
    let counting = FaultyFiles(Self.disk()) { call in
      if call.operation == .sync { syncs.withLock { $0.append(call.number) } }
    }
    let counted = OfflineLog(files: counting, path: "/d", schema: Self.schema)
    _ = try await counted.open()
    let before = syncs.withLock { $0.count }
    try await counted.append(Self.changes("a"), ChangeKey())
    let number = try #require(syncs.withLock { $0.dropFirst(before).first })
    let disk = Self.disk()
    let fault = FileFault.once(.error(SystemErrorCode.deviceFailed), at: number)
    let log = OfflineLog(files: FaultyFiles(disk, fault: fault), path: "/d", schema: Self.schema)
    _ = try await log.open()
    await #expect(throws: KinshipError.self) {
      try await log.append(Self.changes("a"), ChangeKey())
    }
    await log.close()
    #expect(try await Self.read(disk).0 == [])
  }
}
