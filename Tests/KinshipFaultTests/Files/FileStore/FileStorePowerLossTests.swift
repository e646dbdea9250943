import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// A store after a loss of power at any moment.
@Suite(.dedicatedThreads, .tags(.lawF2))
struct FileStorePowerLossTests {
  /// A possible disk, and the commit that it must contain.
  struct Image: Sendable {
    let disk: SimulatedDisk
    let kept: Int
  }

  /// The possible disks before each call of a workload.
  static func images(
    _ workload: FileStoreWorkload, seed: UInt64, each count: UInt64
  ) async throws -> [Image] {
    let disk = SimulatedDisk()
    let (images, kept) = (Shared<[Image]>([]), Shared(0))
    let files = FaultyFiles(disk) { call in
      // Nothing is lost between two calls that only read.
      if call.operation == .read || call.operation == .inspect { return }
      for number in 0..<count {
        let seed = SplitMix64.subseed(UInt64(call.number) * count + number, of: seed)
        let image = Image(disk: disk.afterPowerLoss(seed: seed), kept: kept.value)
        images.change { $0.append(image) }
      }
    }
    try await workload.run(in: files) { event in
      if case .synced(let commit) = event { kept.change { $0 = commit } }
    }
    return images.value
  }

  /// Opens a disk, verifies its contents, and continues with it.
  static func verify(
    _ image: Image, of workload: FileStoreWorkload, seed: UInt64
  ) async throws -> Int {
    let store = try await FileStore.small(in: image.disk)
    let found = try await StoredState(of: store)
    guard let state = workload.states.lastIndex(of: found) else {
      throw Mismatch("what is found was never committed")
    }
    try KinshipTestSupport.verify(
      state >= image.kept, "commit \(state) is found, but \(image.kept) was on the disk")
    let next = found.changed(seed: seed)
    try await store.apply(found.changes(to: next))
    let again = try await FileStore.small(in: image.disk.afterPowerLoss(seed: seed))
    try verifyEqual(try await StoredState(of: again), next, "what is found after one more commit")
    return store.report.cutBytes
  }

  @Test(arguments: FileStore.durabilities)
  func `a power loss leaves a prefix of the commits`(durability: FileStore.Durability) async throws
  {
    let (count, cut) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      let effort = try Effort()
      for seed in effort.seeds(6) {
        group.addTask {
          let workload = FileStoreWorkload(seed: seed, commits: 50, durability: durability)
          let images = effort.some(of: try await Self.images(workload, seed: seed, each: 2))
          var cut = 0
          for (number, image) in images.enumerated() {
            do {
              cut += try await Self.verify(image, of: workload, seed: UInt64(number)) > 0 ? 1 : 0
            } catch {
              throw Mismatch("seed \(seed), image \(number) of \(images.count): \(error)")
            }
          }
          return (images.count, cut)
        }
      }
      return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
    }
    print("Power loss, \(durability): \(count) disks, \(cut) of them with a torn end.")
  }
}
