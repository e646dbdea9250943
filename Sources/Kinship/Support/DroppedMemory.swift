/// Memory without another owner, which is freed with this: that may take longer than a lock should
/// be held.
///
/// It is passed as numbers, because pointers are not `Sendable`.
final class DroppedMemory: Sendable {
  private let addresses: [UInt]
  /// As `ZeroedBuffer.mapped` says of all of them.
  private let mapped: Int

  init(_ addresses: [UInt], mapped: Int = 0) {
    self.addresses = addresses
    self.mapped = mapped
  }

  deinit {
    for address in addresses {
      guard let base = UnsafeMutablePointer<UInt64>(bitPattern: address) else { continue }
      ZeroedBuffer.release(base, mapped)
    }
  }
}

extension PagedBuffer {
  /// Drops the elements from a count on; returns the memory of the emptied pages, except for the
  /// first.
  mutating func dropPages(to newCount: Int) -> DroppedMemory {
    shrink(to: newCount)
    let kept = min(pages.count, max(1, (count + Self.pageSize - 1) / Self.pageSize))
    capacity = min(capacity, kept * Self.pageSize)
    let dropped = DroppedMemory((kept..<pages.count).map { UInt(bitPattern: pages[$0]) })
    pages.shrink(to: kept)
    return dropped
  }
}
