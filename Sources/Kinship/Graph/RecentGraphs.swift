/// The larger graphs that were walked last: repeated requests get the same graph while its records
/// are unchanged and in memory.
///
/// The next write, or the next record that leaves memory, drops them. The benchmark case
/// `translation warm`, which requests a graph of 1,023 records again and again, measures them.
struct RecentGraphs {
  private struct CachedGraph {
    let root: Slot
    let rules: PlanRules
    /// The records, in the order of discovery.
    let slots: ContiguousArray<Slot>
    let storage: GraphStorage
  }

  /// The minimum number of records of a graph that is kept: smaller ones are walked as fast.
  private static var smallest: Int { Chunk.size / 8 }

  /// The maximum number of records in all of them together.
  private static let limit = Traversal.stride

  private var entries: [CachedGraph] = []
  private var recordCount = 0
  private var moment: (version: UInt64, drops: UInt64) = (0, 0)

  /// Returns whether any of them are stale.
  func isStale(in map: borrowing IdentityMap) -> Bool {
    !entries.isEmpty && (moment.version != map.version || moment.drops != map.drops)
  }

  /// Returns the graph of a root and makes its records the most recently used, unless it is
  /// `passing`.
  func graph(
    from root: Slot, _ rules: PlanRules, _ map: inout IdentityMap
  ) -> GraphStorage? {
    guard !isStale(in: map),
      let entry = entries.first(where: { $0.root == root && $0.rules.agrees(with: rules) })
    else { return nil }
    if !rules.isPassing { for slot in entry.slots { map.recency.touch(slot) } }
    map.tally.hits &+= entry.slots.count
    return entry.storage
  }

  /// Returns whether a graph of so many records is kept.
  static func keeps(_ count: Int) -> Bool { count >= smallest && count <= limit }

  /// Keeps a graph.
  ///
  /// - Returns: The graphs that it replaces: release them outside the cache's lock.
  mutating func keep(
    _ storage: GraphStorage, from root: Slot, _ rules: PlanRules, _ slots: ContiguousArray<Slot>,
    _ map: borrowing IdentityMap
  ) -> [GraphStorage] {
    let isFull = recordCount + slots.count > Self.limit
    let old = isFull || isStale(in: map) ? takeAll() : []
    moment = (map.version, map.drops)
    recordCount += slots.count
    entries.append(CachedGraph(root: root, rules: rules, slots: slots, storage: storage))
    return old
  }

  /// Removes and returns all of them.
  mutating func takeAll() -> [GraphStorage] {
    defer { (entries, recordCount) = ([], 0) }
    return entries.map { $0.storage }
  }
}
