import Kinship

/// A dictionary that evicts the oldest entry, whether it is used or not.
struct QueueCache<Member: GraphRecord> {
  private let capacity: Int
  private var records: [Member.ID: Member] = [:]
  private var ids: [Member.ID] = []
  private var oldest = 0
  private(set) var evictions = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { records.count }

  subscript(id: Member.ID) -> Member? { records[id] }

  /// Inserts a record that is not in the cache yet.
  mutating func insert(_ record: Member) {
    records[record.id] = record
    guard ids.count == capacity else {
      ids.append(record.id)
      return
    }
    records[ids[oldest]] = nil
    ids[oldest] = record.id
    oldest = oldest + 1 == capacity ? 0 : oldest + 1
    evictions += 1
  }
}
