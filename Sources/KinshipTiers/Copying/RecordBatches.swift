internal import Kinship

/// All records of a type in a store, in batches, in the order of their ids.
struct RecordBatches<R: GraphRecord> {
  private let store: any BackingStore
  private let limit: Int
  private var last: R.ID?
  /// The remaining records of a store that must be read at once.
  private var rest: ArraySlice<R>?
  private var isAtEnd = false

  init(of store: any BackingStore, after last: R.ID?, _ limit: Int) {
    self.store = store
    self.last = last
    self.limit = limit
  }

  /// Returns the next batch; `nil` at the end.
  mutating func next() async throws -> [R]? {
    try Task.checkCancellation()
    if isAtEnd { return nil }
    var query = RecordQuery<R>().limited(to: limit)
    if let last { query = query.following(last) }
    let records: [R]
    // A memory store would sort its records again for each batch.
    if rest == nil, !(store is MemoryStore), case .complete = store.support(for: query) {
      records = try await store.fetch(query)
      try query.check(records)
      isAtEnd = records.count < limit
    } else {
      if rest == nil {
        let all = try await store.fetch(query.unfiltered)
        try query.unfiltered.check(all)
        rest = try query.selection.matching(in: all)[...]
      }
      records = Array(rest?.prefix(limit) ?? [])
      rest = rest?.dropFirst(limit)
      isAtEnd = rest?.isEmpty ?? true
    }
    last = records.last?.id ?? last
    return records.isEmpty ? nil : records
  }
}
