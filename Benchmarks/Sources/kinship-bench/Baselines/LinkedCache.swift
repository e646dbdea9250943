import Kinship
import Synchronization

/// A least recently used cache by hand: records in one block, linked by their positions in it and
/// found by open addressing, behind a lock.
final class LinkedCache<Member: GraphRecord>: Sendable {
  private let table: Mutex<Table>

  init(capacity: Int) {
    table = Mutex(Table(capacity: capacity))
  }

  var count: Int { table.withLock { $0.entries.count } }
  var insertions: Int { table.withLock { $0.insertions } }
  var evictions: Int { table.withLock { $0.insertions - $0.entries.count } }

  subscript(id: Member.ID) -> Member? { table.withLock { $0.record(id) } }

  /// Inserts a record that is not in the cache yet.
  func insert(_ record: Member) { table.withLock { $0.insert(record) } }

  private struct Table {
    struct Entry {
      var record: Member
      var newer: Int32
      var older: Int32
    }

    let capacity: Int
    let shift: UInt64
    /// The position of an entry, or -1, by the hash of its id: a power of two, half full at most.
    var slots: [Int32]
    var entries: [Entry] = []
    var newest: Int32 = -1
    var oldest: Int32 = -1
    var insertions = 0

    init(capacity: Int) {
      self.capacity = capacity
      let bits = Int.bitWidth - (capacity * 2 - 1).leadingZeroBitCount
      shift = UInt64(Int.bitWidth - bits)
      slots = [Int32](repeating: -1, count: 1 << bits)
    }

    mutating func record(_ id: Member.ID) -> Member? {
      let entry = slots[slot(of: id)]
      guard entry >= 0 else { return nil }
      if entry != newest {
        unlink(entry)
        append(entry)
      }
      return entries[Int(entry)].record
    }

    mutating func insert(_ record: Member) {
      let entry: Int32
      if entries.count < capacity {
        entry = Int32(entries.count)
        entries.append(Entry(record: record, newer: -1, older: -1))
      } else {
        entry = oldest
        unlink(entry)
        clear(slot(of: entries[Int(entry)].record.id))
        entries[Int(entry)].record = record
      }
      slots[slot(of: record.id)] = entry
      append(entry)
      insertions += 1
    }

    private func home(of id: Member.ID) -> Int {
      // The multiplication alone spreads integers well enough.
      let hash = UInt64(bitPattern: Int64((id as? Int) ?? id.hashValue))
      return Int((hash &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    /// The slot of an id, or the free one in which it belongs.
    private func slot(of id: Member.ID) -> Int {
      var slot = home(of: id)
      while slots[slot] >= 0, entries[Int(slots[slot])].record.id != id {
        slot = (slot + 1) & (slots.count - 1)
      }
      return slot
    }

    /// Frees a slot, and moves those behind it that a search would no longer reach.
    private mutating func clear(_ slot: Int) {
      let mask = slots.count - 1
      var free = slot
      var next = (slot + 1) & mask
      while slots[next] >= 0 {
        let home = home(of: entries[Int(slots[next])].record.id)
        if (next - home) & mask >= (next - free) & mask {
          slots[free] = slots[next]
          free = next
        }
        next = (next + 1) & mask
      }
      slots[free] = -1
    }

    private mutating func append(_ entry: Int32) {
      entries[Int(entry)].older = newest
      entries[Int(entry)].newer = -1
      if newest >= 0 { entries[Int(newest)].newer = entry } else { oldest = entry }
      newest = entry
    }

    private mutating func unlink(_ entry: Int32) {
      let (newer, older) = (entries[Int(entry)].newer, entries[Int(entry)].older)
      if older >= 0 { entries[Int(older)].newer = newer } else { oldest = newer }
      if newer >= 0 { entries[Int(newer)].older = older } else { newest = older }
    }
  }
}
