/// What the map knows of one type: where each value is, which ids are pinned, which are missing.
@usableFromInline
struct RecordTable<Element: Cacheable> {
  @usableFromInline let owner: Int
  @usableFromInline var index: SlotIndex
  @usableFromInline var cost: Int
  /// How many leases hold an id, whether or not its value is in memory.
  @usableFromInline var pins: [Element.ID: Int]
  @usableFromInline var missing: MissingIDs<Element.ID>

  @inlinable
  init(owner: Int, missingLimit: Int) {
    self.owner = owner
    index = SlotIndex()
    cost = 0
    pins = [:]
    missing = MissingIDs(limit: missingLimit)
  }

  /// The slot of the value with an id, if it is in memory.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func find(_ id: Element.ID, _ tag: UInt32, in pages: borrowing Pages) -> Slot? {
    index.find(tag) { slot in pages.pointer(to: slot, as: Element.self).pointee.id == id }
  }

  @inlinable
  func find(_ id: Element.ID, in pages: borrowing Pages) -> Slot? {
    find(id, SlotIndex.tag(of: id), in: pages)
  }
}
