import KinshipProgram
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipFileStore
@testable import KinshipInspection
@testable import KinshipTrials
@testable import kinship_inspect

/// Backups and queues are distinguished from stores, and read as their own programs would.
@Suite(.dedicatedThreads)
struct BackupAndQueueInspectionTests {
  @Test func `a backup shows the store after one commit`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore.small(in: disk)
    let first = StoredState().changed(seed: 1)
    try await store.apply(StoredState().changes(to: first))
    _ = try await store.backup(to: "/backup", in: disk)
    try await store.apply(first.changes(to: first.changed(seed: 2)))
    let inspection = try Inspection(of: "/backup", in: disk, readsAll: true)
    #expect(inspection.damage.isEmpty, "\(inspection.damage)")
    #expect(try InspectedState(inspection) == InspectedState(first))
    let shown = run("show", "/backup", in: disk).console.output
    #expect(shown.hasPrefix("backup /backup\n") && shown.contains("\n  last commit  1\n"))
    #expect(run("show", "/backup", "--json", in: disk).console.output.contains(#""kind":"backup""#))
    #expect(run("show", "/store", in: disk).console.output.hasPrefix("store /store\n"))
    try await store.close()
  }

  /// After any last system call, the backup is the previous one or the new one.
  @Test func `a backup being renewed is complete at any call`() async throws {
    for seed in try Effort().seeds(6) {
      let image = try await StoreImage(seed: seed, closing: true)
      let disk = SimulatedDisk.holding(image.files)
      let store = try await FileStore.small(in: disk)
      _ = try await store.backup(to: "/backup", in: disk)
      let changed = image.state.changed(seed: seed).changed(seed: seed + 1)
      try await store.apply(image.state.changes(to: changed))
      if seed.isMultiple(of: 2) { try await store.compact() }
      let known = try [InspectedState(image.state), InspectedState(changed)]
      let before = disk.files(in: "/backup")
      var (call, isOver, found) = (1, false, Set<Int>())
      while !isOver {
        let target = SimulatedDisk()
        for (name, bytes) in before { target.put(bytes, name, in: "/backup") }
        let files = FaultyFiles(
          target, fault: .always(.errorAfterPart(SystemErrorCode.noSpace), from: call))
        _ = try? await store.backup(to: "/backup", in: files)
        isOver = files.failed == 0
        let inspection = try Inspection(of: "/backup", in: target, readsAll: true)
        #expect(inspection.damage.isEmpty, "seed \(seed), call \(call): \(inspection.damage)")
        let state = try InspectedState(inspection)
        #expect(known.contains(state), "seed \(seed), call \(call)")
        if let place = known.firstIndex(of: state) { found.insert(place) }
        call += 1
      }
      #expect(found.contains(1), "seed \(seed)")
      try await store.close()
    }
  }

  private static func queue(in disk: SimulatedDisk) async throws -> OfflineQueue {
    let queue = try await OfflineQueue(
      in: disk, at: "/queue", schema: GraphSchema(ExampleFamily.Person.self))
    for person in ExampleFamily.persons {
      try await queue.log.append(ChangeSet(inserting: [person]), ChangeKey())
    }
    return queue
  }

  @Test func `a queue shows how many writes are waiting`() async throws {
    let disk = SimulatedDisk()
    let queue = try await Self.queue(in: disk)
    let before = disk.files(in: "/queue")
    // It is open meanwhile.
    let shown = run("show", "/queue", in: disk).console.output
    #expect(shown.hasPrefix("queue /queue\n"))
    #expect(shown.contains("\n  waiting  4 writes of "))
    #expect(shown.contains("\n  Person        1        0      0\n"))
    #expect(run("verify", "/queue", in: disk).console.output == "4 writes, all sound\n")
    #expect(run("show", "/queue", "--json", in: disk).console.output.contains(#""waiting":4,"#))
    #expect(run("compact", "/queue", "--to", "/new", in: disk).status == .usage)
    #expect(disk.files(in: "/queue") == before)
    let found = try QueueFile(disk.openDirectory("/queue").open("queue", .read), at: "queue")
    try await queue.log.settle([found.entries[0].key])
    #expect(run("verify", "/queue", in: disk).console.output == "3 writes, all sound\n")
    await queue.close()
  }

  @Test func `every damage to a queue is reported`() async throws {
    let disk = SimulatedDisk()
    await (try Self.queue(in: disk)).close()
    let bytes = try #require(disk.files(in: "/queue")["queue"])
    let spans = bytes.spansOfFrames
    let cut = SimulatedDisk()
    for end in 0...bytes.count {
      cut.put(Array(bytes[..<end]), "queue", in: "/queue")
      let (status, console) = run("verify", "/queue", in: cut)
      guard let head = spans.first, end >= head.upperBound else {
        #expect([.notFound, .badData].contains(status), "\(end): \(console.output)")
        continue
      }
      // A write that is not complete was not queued.
      let whole = spans.dropFirst().count { $0.upperBound <= end }
      #expect(status == .success)
      #expect(console.output.hasSuffix("\(whole.counted("write")), all sound\n"), "\(end)")
      #expect(console.output.contains("note:") == !spans.contains { $0.upperBound == end })
    }
    for bit in 0..<bytes.count * 8 where bit.isMultiple(of: 7) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      cut.put(changed, "queue", in: "/queue")
      let (status, console) = run("verify", "/queue", in: cut)
      let isLast = bit / 8 >= spans[spans.count - 1].lowerBound
      #expect(
        isLast ? console.output.contains("note:") : [.notFound, .badData].contains(status),
        "bit \(bit): \(console.output)")
    }
  }
}
