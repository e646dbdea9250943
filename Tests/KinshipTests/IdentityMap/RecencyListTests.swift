import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// The list beside an array.
@Suite(.tags(.lawE2))
struct RecencyListTests {
  private enum Operation: Command {
    case insert(UInt32)
    case touch(UInt32)
    case touchMany([UInt32])
    case hold(UInt32)
    case remove(UInt32)
    case insertLast(UInt32)
    case renew(UInt32)
    case capture(LinkReader, pieceSize: Int)
    case readCapture(LinkReader)
    case removeAll

    static func random(using generator: inout SplitMix64) -> Operation {
      let slot = UInt32.random(in: 1...12, using: &generator)
      let reader: LinkReader = Bool.random(using: &generator) ? .snapshot : .naming
      return switch Int.random(in: 0..<18, using: &generator) {
      case 0..<5: .insert(slot)
      case 5..<7: .touch(slot)
      case 7, 8:
        .touchMany(
          (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            UInt32.random(in: 0...12, using: &generator)
          })
      case 9: .hold(slot)
      case 10: .insertLast(slot)
      case 11: .renew(slot)
      case 12: .capture(reader, pieceSize: Int.random(in: 1...5, using: &generator))
      case 13, 14: .readCapture(reader)
      case 15: slot == 1 ? .removeAll : .remove(slot)
      default: .remove(slot)
      }
    }

    var shrunk: [Operation] {
      if case .touchMany(let slots) = self { slots.shrunk.map { .touchMany($0) } } else { [] }
    }
  }

  private final class System {
    private var list = RecencyList()
    /// The most recently used first.
    private var order: [UInt32] = []
    private var held: Set<UInt32> = []
    private var lastStamp: UInt32 = 0
    /// The links of captured moments, and their recency order, while they are being read.
    private var copies: [LinkReader: (words: [[UInt32]], order: [UInt32])] = [:]

    init() { list.grow(to: 64) }

    func apply(_ operation: Operation) throws {
      switch operation {
      case .insert(let slot):
        if order.contains(slot) { return }
        if held.remove(slot) == nil { list.add(Slot(slot), tag: slot * 3, stamp: nextStamp()) }
        list.insertFirst(Slot(slot))
        order.insert(slot, at: 0)
      case .touch(let slot):
        guard order.contains(slot) || held.contains(slot) else { return }
        list.touch(Slot(slot))
        touch(slot)
      case .touchMany(let slots):
        let known = slots.filter { $0 == 0 || order.contains($0) || held.contains($0) }
        var buffer = known.map { Slot($0) }
        buffer.withUnsafeMutableBufferPointer { list.touch($0) }
        for slot in known { touch(slot) }
      case .insertLast(let slot):
        if order.contains(slot) { return }
        if held.remove(slot) == nil { list.add(Slot(slot), tag: slot * 3, stamp: nextStamp()) }
        // The links that this changes must be kept, even if nothing else was.
        list.insertLast(Slot(slot))
        order.append(slot)
      case .renew(let slot):
        guard order.contains(slot) || held.contains(slot) else { return }
        let stamp = nextStamp()
        list.renew(Slot(slot), stamp)
        try verifyEqual(list.stamp(of: Slot(slot)), stamp, "the stamp of \(slot)")
      case .capture(let reader, let pieceSize):
        copies[reader] = (words, order)
        list.beginCapture(by: reader, pieceSize: pieceSize)
      case .readCapture(let reader): try readCapture(reader)
      case .removeAll:
        _ = list.removeAll()
        list.grow(to: 64)
        (order, held) = ([], [])
      case .hold(let slot):
        guard let index = order.firstIndex(of: slot) else { return }
        list.hold(Slot(slot))
        order.remove(at: index)
        held.insert(slot)
      case .remove(let slot):
        guard order.contains(slot) || held.contains(slot) else { return }
        list.remove(Slot(slot))
        order.removeAll { $0 == slot }
        held.remove(slot)
      }
      try verifyState()
    }

    private var words: [[UInt32]] { (0..<list.links.count).map { list.links[$0].words } }

    private func nextStamp() -> Stamp {
      lastStamp += 1
      return Stamp(lastStamp)
    }

    private func readCapture(_ reader: LinkReader) throws {
      guard let copy = copies.removeValue(forKey: reader) else { return }
      var piece = 0
      while list.captureLinks(piece, by: reader) { piece += 1 }
      let links = list.takeCapturedLinks(by: reader)
      let found = (0..<UInt32(links.count)).map { links[$0].words }
      try verifyEqual(found, copy.words, "the captured links")
      for (isRecentFirst, order) in [(true, copy.order), (false, copy.order.reversed())] {
        for limit in [3, .max] {
          let slots = links.slots(mostRecentFirst: isRecentFirst, limit: limit)
          try verifyEqual(slots.map(\.rawValue), Array(order.prefix(limit)), "the captured order")
        }
      }
    }

    private func touch(_ slot: UInt32) {
      guard order.contains(slot) else { return }
      order.removeAll { $0 == slot }
      order.insert(slot, at: 0)
    }

    private func verifyState() throws {
      try verifyEqual(walk(from: list.first) { list.after($0) }, order, "the order")
      try verifyEqual(
        walk(from: list.last) { list.before($0) }, order.reversed(), "the order backwards")
      for slot in 1...12 as ClosedRange<UInt32> {
        try verifyEqual(list.isHeld(Slot(slot)), held.contains(slot), "whether \(slot) is held")
        let isThere = held.contains(slot) || order.contains(slot)
        try verifyEqual(list.tag(of: Slot(slot)), isThere ? slot * 3 : 0, "the tag of \(slot)")
      }
    }

    private func walk(from start: Slot, _ next: (Slot) -> Slot) -> [UInt32] {
      var slots: [UInt32] = []
      var slot = start
      while slot != .none, slots.count <= 12 {
        slots.append(slot.rawValue)
        slot = next(slot)
      }
      return slots
    }
  }

  @Test func `the recency list has the order of an array`() throws {
    try Property.check(seeds: 100, steps: 100, generate: Operation.random) { _ in
      System()
    } apply: { system, operation in
      try system.apply(operation)
    }
  }
}
