import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// A captured moment beside a plain copy of the map, while it is changed in every way.
@Suite(.dedicatedThreads)
struct CapturingTests {
  private enum Operation: Command {
    case begin(pieceSize: Int)
    case takeLinks(Int)
    case takeValues(Int)
    case takeMissing(Int)
    case end
    case put(Int)
    case putMany(Range<Int>)
    case update(Int)
    case updateItsIdentity(Int)
    case commit([Int])
    case read(Int)
    case readMany([Int])
    case remove(Int)
    case removeMany(Range<Int>)
    case invalidate(Int)
    case evict(Int)
    case trim(Int)
    case removeAll
    case claim([Int])
    case endClaim(Int)
    case restore([Int])
    case pass(Int)

    static func random(using generator: inout SplitMix64) -> Operation {
      let id = Int.random(in: 0..<400, using: &generator)
      let range = id..<min(400, id + Int.random(in: 0...150, using: &generator))
      let ids = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
        Int.random(in: 0..<400, using: &generator)
      }
      return switch Int.random(in: 0..<100, using: &generator) {
      case 0..<5: .begin(pieceSize: [3, 17, 64, 100].randomElement(using: &generator) ?? 1)
      case 5..<12: .takeLinks(Int.random(in: 1...40, using: &generator))
      case 12..<27: .takeValues(Int.random(in: 1..<100, using: &generator))
      case 27..<33: .takeMissing(Int.random(in: 1..<50, using: &generator))
      case 33: .end
      case 34..<43: .put(id)
      case 43..<50: .putMany(range)
      case 50..<57: .update(id)
      case 57: .updateItsIdentity(id)
      case 58..<62: .commit(ids)
      case 62..<67: .read(id)
      case 67..<72: .readMany(ids)
      case 72..<76: .remove(id)
      case 76..<79: .removeMany(range)
      case 79..<82: .invalidate(id)
      case 82..<85: .evict(id)
      case 85: .trim(Int.random(in: 0..<300, using: &generator))
      case 86: .removeAll
      case 87..<90: .claim(ids)
      case 90..<94: .endClaim(Int.random(in: 0..<4, using: &generator))
      case 94..<96: .restore(ids)
      default: .pass(Int.random(in: 0..<40, using: &generator))
      }
    }

    var shrunk: [Operation] {
      switch self {
      case .putMany(let range) where range.count > 1: [.putMany(range.dropLast(range.count / 2))]
      case .commit(let ids): ids.shrunk.map { .commit($0) }
      case .readMany(let ids): ids.shrunk.map { .readMany($0) }
      case .claim(let ids): ids.shrunk.map { .claim($0) }
      case .restore(let ids): ids.shrunk.map { .restore($0) }
      default: []
      }
    }
  }

  @Test func `a capture is a copy of the map at its moment`() throws {
    try LifetimeTracker.verifyNoLeaks { tracker in
      try Property.check(seeds: 40, steps: 250, generate: Operation.random) { seed in
        try MapBesideCopies(seed: seed, tracker)
      } apply: { system, operation in
        try apply(operation, to: system)
        try system.verifyState()
      }
    }
  }

  private func apply(_ operation: Operation, to system: MapBesideCopies) throws {
    switch operation {
    case .begin(let pieceSize): system.beginCapture(pieceSize: pieceSize)
    case .takeLinks(let count): for _ in 0..<count { try system.takeLinks() }
    case .takeValues(let count): try system.takeValues(count)
    case .takeMissing(let limit): try system.takeMissing(limit)
    case .end: system.endCapture()
    case .put(let id): system.put(id)
    case .putMany(let ids): for id in ids { system.put(id) }
    case .update(let id): system.update(id)
    case .updateItsIdentity(let id): try system.updateIdentity(of: id)
    case .commit(let ids): system.commit(ids)
    case .read(let id): system.read(id)
    case .readMany(let ids): system.read(ids)
    case .remove(let id): system.remove(id)
    case .removeMany(let ids): for id in ids { system.remove(id) }
    case .invalidate(let id): system.invalidate(id)
    case .evict(let id): system.evict(id)
    case .trim(let count): system.trim(to: count)
    case .removeAll: system.removeAll()
    case .claim(let ids): system.claim(ids)
    case .endClaim(let index): system.endClaim(index)
    case .restore(let ids): try system.restore(ids)
    case .pass(let tenths): system.pass(tenths)
    }
  }
}
