/// A place in memory for one cached value: page number times 64, plus the place in the page.
///
/// Slots are numbered across all types, so that one list of integers can order values of any type
/// by recency.
@usableFromInline
package struct Slot: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline let rawValue: UInt32

  @inlinable
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }

  init(page: Int, place: Int) { rawValue = UInt32(truncatingIfNeeded: page &* 64 &+ place) }

  /// No slot: also the recency list's sentinel, for which page 0 is never allocated.
  @inlinable static var none: Slot { Slot(0) }

  /// A ref whose value is not in memory.
  @inlinable static var absent: Slot { Slot(.max) }

  /// A ref whose value is known not to exist.
  @inlinable static var missing: Slot { Slot(.max - 1) }

  @inlinable package var index: Int { Int(rawValue) }
  @inlinable var page: Int { Int(rawValue &>> 6) }
  @inlinable var place: Int { Int(rawValue & 63) }
  /// The bit of the place among those of its page.
  @inlinable var bit: UInt64 { 1 &<< UInt64(rawValue & 63) }
}

extension UInt64 {
  /// Passes the position of each set bit to a closure, the lowest first: the places of a page.
  @inlinable
  @inline(__always)
  func forEachPlace(_ body: (Int) -> Void) {
    var rest = self
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
  }
}
