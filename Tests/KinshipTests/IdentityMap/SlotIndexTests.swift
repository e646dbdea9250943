import KinshipTestSupport
import Testing

@testable import Kinship

/// The index beside a dictionary, with hashes that collide and wrap around the end of the buckets.
struct SlotIndexTests {
  private enum Operation: Command {
    case insert(tag: UInt32)
    case insertMany(seed: UInt64)
    case remove(place: Int)
    case removeAbsent(tag: UInt32)
    case removeMany(seed: UInt64)
    case shrink(steps: Int)
    case removeAll

    static func random(using generator: inout SplitMix64) -> Operation {
      let tags: [UInt32] = [0, 1, 6, 7, 8, 15, 1 << 31, .max - 1, .max]
      let tag =
        generator.chance(0.7)
        ? tags[Int.random(in: tags.indices, using: &generator)]
        : UInt32(truncatingIfNeeded: generator.next())
      return switch Int.random(in: 0..<22, using: &generator) {
      case 0..<11: .insert(tag: tag)
      case 11..<18: .remove(place: Int.random(in: 0..<100, using: &generator))
      case 18: .removeAbsent(tag: tag)
      case 20 where generator.chance(0.1): .removeAll
      case 21 where generator.chance(0.5): .shrink(steps: .max)
      default: .shrink(steps: Int.random(in: 0..<4, using: &generator))
      }
    }

    /// Operations on an index that grows a lot and is searched meanwhile.
    static func randomOfMany(using generator: inout SplitMix64) -> Operation {
      switch Int.random(in: 0..<16, using: &generator) {
      case 0..<8: .insertMany(seed: generator.next())
      case 8: .shrink(steps: Int.random(in: 0..<8, using: &generator))
      case 9: .removeMany(seed: generator.next())
      default: random(using: &generator)
      }
    }
  }

  /// The index and its expected contents.
  private final class System {
    private var index = SlotIndex()
    private var tags: [UInt32: UInt32] = [:]
    private var lastSlot: UInt32 = 0

    func apply(_ operation: Operation) throws {
      switch operation {
      case .insert(let tag): insert(tag)
      case .insertMany(let seed):
        var generator = SplitMix64(seed: seed)
        // Some share their bucket, some their hash.
        for _ in 0..<200 {
          let tag = UInt32(truncatingIfNeeded: generator.next())
          insert(generator.chance(0.1) ? tag & 0x8000_00ff : tag)
        }
      case .remove(let place):
        let slots = tags.keys.sorted()
        guard !slots.isEmpty, let tag = tags[slots[place % slots.count]] else { return }
        index.remove(tag, Slot(slots[place % slots.count]))
        tags[slots[place % slots.count]] = nil
      case .removeMany(let seed):
        var generator = SplitMix64(seed: seed)
        // The buckets shrink so much that they are soon too few again.
        let share = generator.chance(0.5) ? 0.5 : 0.99
        for (slot, tag) in tags.sorted(by: { $0.key < $1.key }) where generator.chance(share) {
          index.remove(tag, Slot(slot))
          tags[slot] = nil
        }
      case .removeAbsent(let tag): index.remove(tag, Slot(1 << 30))
      case .shrink(let steps):
        let isDone = index.shrink(steps: steps)
        try verify(isDone || steps < .max, "memory is left to be given back")
      case .removeAll:
        withExtendedLifetime(index.removeAll()) {}
        tags = [:]
      }
      try verifyState()
    }

    private func insert(_ tag: UInt32) {
      lastSlot += 1
      index.insert(tag, Slot(lastSlot))
      tags[lastSlot] = tag
    }

    private func verifyState() throws {
      try verifyEqual(index.count, tags.count, "the count")
      var occupied = 0
      index.forEach { _ in occupied += 1 }
      try verifyEqual(occupied, tags.count, "the occupied buckets")
      // While more buckets are being prepared, some more elements go into the present ones.
      try verify(tags.count * 5 <= index.buckets.count * 4, "the index is too full")
      for (slot, tag) in tags {
        try verifyEqual(index.find(tag) { $0 == Slot(slot) }, Slot(slot), "slot \(slot)")
        try verifyEqual(index.find(tag) { $0 == Slot(1 << 30) }, nil, "a slot that is not there")
      }
    }
  }

  @Test func `an index finds what a dictionary finds`() throws {
    try Property.check(seeds: 60, steps: 80, generate: Operation.random) { _ in
      System()
    } apply: { system, operation in
      try system.apply(operation)
    }
  }

  @Test func `an index that grows step by step finds what a dictionary finds`() throws {
    try Property.check(seeds: 12, steps: 40, generate: Operation.randomOfMany) { _ in
      System()
    } apply: { system, operation in
      try system.apply(operation)
    }
  }

  @Test func `a list of ids is found while the index grows step by step`() throws {
    var index = SlotIndex()
    for id in 1...3_000 {
      index.insert(SlotIndex.tag(of: id), Slot(UInt32(id)))
      let ids = [1, (id + 2) / 3, (id + 1) / 2, id]
      try withUnsafeTemporaryAllocation(of: Slot.self, capacity: ids.count) { slots in
        index.findCandidates(of: ids, slots)
        for (wanted, slot) in zip(ids, slots) {
          let found = SlotIndex.tag(of: Int(slot.rawValue))
          try verifyEqual(found, SlotIndex.tag(of: wanted), "the hash of \(wanted) among \(id)")
        }
      }
    }
  }

  /// No insertion moves more than a step and the run at its end.
  @Test func `no insertion moves all buckets of an index`() {
    var index = SlotIndex()
    var longest = 0
    for slot in 1...100_000 as ClosedRange<UInt32> {
      let before = index.older.count
      index.insert(slot &* 2_654_435_761, Slot(slot))
      let begun = before == 0 ? (index.older.count == 0 ? 0 : index.olderMask + 1) : before
      longest = max(longest, begun - index.older.count)
    }
    #expect(longest >= SlotIndex.step)
    #expect(longest < 16 * SlotIndex.step)
  }

  /// No step of giving memory back visits all buckets.
  @Test func `an index gives memory back step by step`() {
    var index = SlotIndex()
    for slot in 1...100_000 as ClosedRange<UInt32> {
      index.insert(slot &* 2_654_435_761, Slot(slot))
    }
    for slot in 2...100_000 as ClosedRange<UInt32> {
      index.remove(slot &* 2_654_435_761, Slot(slot))
    }
    var longest = 0
    var before = index.buckets.count
    while !index.shrink(steps: 8) {
      longest = max(longest, before - index.older.count)
      before = index.older.count
    }
    #expect(longest >= 8 * SlotIndex.step)
    #expect(longest < 16 * SlotIndex.step)
    #expect(index.buckets.count == 8)
    #expect(index.find(2_654_435_761) { $0 == Slot(1) } == Slot(1))
  }

  @Test func `removals give the index's memory back`() {
    var index = SlotIndex()
    for slot in 1...1_000 as ClosedRange<UInt32> { index.insert(slot &* 2_654_435_761, Slot(slot)) }
    #expect(index.buckets.count == 2_048)
    for slot in 11...1_000 as ClosedRange<UInt32> {
      index.remove(slot &* 2_654_435_761, Slot(slot))
    }
    _ = index.shrink()
    #expect(index.buckets.count == 16)
    for slot in 1...10 as ClosedRange<UInt32> {
      #expect(index.find(slot &* 2_654_435_761) { $0 == Slot(slot) } == Slot(slot))
    }
  }
}
