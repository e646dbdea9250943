import Foundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// Law F2: a crash, a fault or a loss of power at any moment leaves the old snapshot or the new
/// one.
@Suite(.tags(.lawF2))
struct SnapshotFaultTests {
  /// A disk with a snapshot, and the cache that will be saved over it.
  private struct Before {
    let disk: SimulatedDisk
    let old: FamilyContents
    let new: FamilyContents
    let lab: SnapshotLab

    init() async throws {
      lab = try await SnapshotLab(count: 40)
      try await lab.save()
      disk = lab.disk
      old = await FamilyContents(of: lab.cache)
      for number in 0..<20 {
        try await lab.cache.put(TestPerson(id: number, name: "New \(number)"))
      }
      new = await FamilyContents(of: lab.cache)
    }
  }

  /// The contents of a snapshot on a disk, and the other files after the next snapshot.
  private func contents(
    of files: any FileSystem
  ) async throws -> FamilyContents {
    let cache = try SnapshotLab.emptyCache()
    try await SnapshotLab.restore(into: cache, from: files)
    return await FamilyContents(of: cache)
  }

  /// The number of calls for saving.
  private func callCount() async throws -> Int {
    let before = try await Before()
    let files = FaultyFiles(before.disk)
    try await before.lab.save(in: files)
    return files.count
  }

  @Test func `a snapshot survives the failure of any call`() async throws {
    let count = try await callCount()
    let calls = try Effort().some(of: 1...count)
    var tried = 0
    for kind in FileFault.kinds {
      for call in calls {
        for isForEver in [false, true] {
          let before = try await Before()
          let files = FaultyFiles(
            before.disk, fault: isForEver ? .always(kind, from: call) : .once(kind, at: call))
          tried += 1
          var isSaved = false
          do {
            try await before.lab.save(in: files)
            isSaved = true
          } catch KinshipError.file(.failed(_, let cause)) {
            isSaved = if case FileReplacementError.unconfirmed = cause { true } else { false }
          }
          files.fault = nil
          let found = try await contents(of: before.disk)
          #expect(found == (isSaved ? before.new : before.old), "\(kind), call \(call)")
          // The remains do no harm, and the next snapshot removes them.
          try await before.lab.save(in: files)
          #expect(before.disk.files(in: "/d").keys.sorted() == ["family.kinship"])
        }
      }
    }
    print("Snapshot: \(tried) faults in \(count) calls; the old or the new one was there.")
  }

  @Test func `a restore survives the failure of any call`() async throws {
    let before = try await Before()
    try await before.lab.save()
    let counting = FaultyFiles(before.disk)
    _ = try await contents(of: counting)
    for kind in FileFault.kinds {
      for call in try Effort().some(of: 1...counting.count) {
        let files = FaultyFiles(before.disk, fault: .once(kind, at: call))
        do {
          #expect(try await contents(of: files) == before.new)
        } catch is KinshipError {
          files.fault = nil
          #expect(try await contents(of: files) == before.new)
        }
      }
    }
  }

  @Test func `a snapshot survives a power loss at any call`() async throws {
    let images = try Effort().operations(40)
    var (oldFound, newFound) = (0, 0)
    let count = try await callCount()
    for call in 1...count {
      let before = try await Before()
      let seen = Lock<[SimulatedDisk]>([])
      let files = FaultyFiles(before.disk) { [disk = before.disk] made in
        guard made.number == call else { return }
        seen.withLock { $0 = (0..<images).map { disk.afterPowerLoss(seed: UInt64($0)) } }
      }
      try await before.lab.save(in: files)
      for disk in seen.withLock({ $0 }) {
        let found = try await contents(of: disk)
        #expect(found == before.old || found == before.new, "power lost before call \(call)")
        if found == before.old { oldFound += 1 } else { newFound += 1 }
      }
    }
    let before = try await Before()
    try await before.lab.save()
    for seed in 0..<UInt64(images) {
      #expect(try await contents(of: before.disk.afterPowerLoss(seed: seed)) == before.new)
    }
    print(
      "Snapshot: \(images * (count + 1)) images after a loss of power: "
        + "\(oldFound) old, the others new."
    )
    #expect(oldFound > 0 && newFound > 0)
  }
}
