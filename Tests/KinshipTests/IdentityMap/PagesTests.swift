import KinshipTestSupport
import Testing

@testable import Kinship

/// Typed memory: values of several types, with nothing lost, mixed up or leaked.
struct PagesTests {
  private typealias Value = Tracked<UInt32>

  private enum Operation: Command {
    case allocate(owner: Int)
    case free(place: Int)
    case freeAll

    static func random(using generator: inout SplitMix64) -> Operation {
      let number = Int.random(in: 0..<1_000, using: &generator)
      return switch number {
      case 0..<600: .allocate(owner: number % 2)
      case 998...: .freeAll
      default: .free(place: number)
      }
    }
  }

  private final class System {
    private let tracker: LifetimeTracker
    private var pages = Pages(layouts: [Pages.Layout(of: Value.self), Pages.Layout(of: Value.self)])
    private var slots: [(slot: Slot, owner: Int)] = []
    private var lastNumber: UInt32 = 0

    init(_ tracker: LifetimeTracker) { self.tracker = tracker }

    func apply(_ operation: Operation) throws {
      switch operation {
      case .allocate(let owner):
        let slot = pages.allocate(owner: owner)
        try verify(slot.page > 0, "a slot in the page that is none")
        try verify(!slots.contains { $0.slot == slot }, "a slot that is taken")
        UnsafeMutablePointer(mutating: pages.pointer(to: slot, as: Value.self))
          .initialize(to: tracker.track(slot.rawValue))
        slots.append((slot, owner))
      case .free(let place):
        if !slots.isEmpty { free(slots.remove(at: place % slots.count).slot) }
      case .freeAll:
        for (slot, _) in slots { free(slot) }
        slots = []
      }
      try verifyEqual(tracker.liveCount, slots.count, "the values alive")
      for (slot, owner) in slots {
        try verifyEqual(
          pages.pointer(to: slot, as: Value.self).pointee.value, slot.rawValue, "a value")
        try verifyEqual(pages.type(of: slot).index, owner, "the owner of a slot")
        try verify(pages.isOccupied(slot), "a slot is not occupied")
      }
    }

    private func free(_ slot: Slot) {
      UnsafeMutablePointer(mutating: pages.pointer(to: slot, as: Value.self))
        .deinitialize(count: 1)
      pages.free(slot)
    }
  }

  @Test func `values stay at their addresses`() throws {
    try LifetimeTracker.verifyNoLeaks { tracker in
      try Property.check(seeds: 4, steps: 1_000, generate: Operation.random) { _ in
        System(tracker)
      } apply: { system, operation in
        try system.apply(operation)
      }
    }
  }

  @Test func `empty pages are released and used again`() {
    var pages = Pages(layouts: [Pages.Layout(of: Int.self), Pages.Layout(of: String.self)])
    let slots = (0..<640).map { _ in pages.allocate(owner: 0) }
    #expect(Set(slots).count == 640)
    #expect(pages.slotCount == 11 * 64)
    for slot in slots { pages.free(slot) }
    // One page with room stays, and the others are released to any other type.
    #expect((0..<pages.bases.count).count { pages.bases[$0] != nil } == 1)
    let others = (0..<576).map { _ in pages.allocate(owner: 1) }
    #expect(pages.slotCount == 11 * 64)
    #expect(others.allSatisfy { pages.type(of: $0).index == 1 })
    for slot in others {
      UnsafeMutablePointer(mutating: pages.pointer(to: slot, as: String.self))
        .initialize(to: "a text too long for a word or two")
    }
  }
}
