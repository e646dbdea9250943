/// The larger graphs that were walked last, for as long as what they show is so and in memory: a
/// graph is a value of a version, and who asks again gets the same one.
///
/// They are let go of with the next thing that is written or leaves memory.
struct RecentGraphs {
  private struct Entry {
    let root: Slot
    let rules: PlanRules
    /// The records, in the order of discovery.
    let slots: ContiguousArray<Slot>
    let storage: GraphStorage
  }

  /// How many records a graph must have: few are walked as fast.
  private static var smallest: Int { Chunk.size / 8 }

  /// How many records all of them may have.
  private static let limit = Traversal.stride

  private var entries: [Entry] = []
  private var recordCount = 0
  private var moment: (version: UInt64, drops: UInt64) = (0, 0)

  /// Whether there are any that are no longer good.
  func isStale(in map: borrowing IdentityMap) -> Bool {
    !entries.isEmpty && (moment.version != map.version || moment.drops != map.drops)
  }

  /// The graph of a root, whose records become the most recently used unless they pass.
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

  /// Whether a graph of so many records is kept.
  static func keeps(_ count: Int) -> Bool { count >= smallest && count <= limit }

  /// Keeps a graph.
  ///
  /// - Returns: What it takes the place of: not to end while the cache is locked.
  mutating func keep(
    _ storage: GraphStorage, from root: Slot, _ rules: PlanRules, _ slots: ContiguousArray<Slot>,
    _ map: borrowing IdentityMap
  ) -> [GraphStorage] {
    let isFull = recordCount + slots.count > Self.limit
    let old = isFull || isStale(in: map) ? takeAll() : []
    moment = (map.version, map.drops)
    recordCount += slots.count
    entries.append(Entry(root: root, rules: rules, slots: slots, storage: storage))
    return old
  }

  /// Takes all of them out.
  mutating func takeAll() -> [GraphStorage] {
    defer { (entries, recordCount) = ([], 0) }
    return entries.map { $0.storage }
  }
}
