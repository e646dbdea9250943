/// The slots of a captured moment: the held ones first, then from the most to the least recently
/// used.
struct CapturedOrder: Sendable {
  typealias Element = (slot: Slot, stamp: Stamp)

  private let links: CapturedLinks
  /// The position up to which held slots were looked for.
  private var examined: UInt32 = 0
  /// The last slot in the recency order that was returned; `nil` once there are no more.
  private var last: Slot? = Slot.none

  init(_ links: CapturedLinks) { self.links = links }

  /// The next slot, with the stamp of its value.
  ///
  /// - Complexity: O(1) amortised.
  mutating func next() -> Element? {
    while Int(examined) + 1 < links.count {
      examined += 1
      let link = links[examined]
      if link.isHeld { return (Slot(examined), link.stamp) }
    }
    guard let known = last, links.count > 0 else { return nil }
    let slot = Slot(links[known.rawValue].next)
    last = slot == .none ? nil : slot
    return last.map { ($0, links[$0.rawValue].stamp) }
  }
}
