/// The waits between activities that could form a cycle: calls of the store and transactions, and
/// the calls of the cache from within them.
///
/// It makes decisions, and never waits. The caller finds out what a waiter or a place in a line
/// waits for at a moment.
struct WaitGraph {
  /// The id of a call of the store or a transaction, unique among all caches.
  typealias ActivityID = UInt64

  /// The reason why an activity waits.
  enum Wait: Hashable {
    /// The end of another activity.
    case activity(ActivityID)
    /// Everything that a waiter waits for.
    case waiter(Loader.WaiterID)
  }

  private struct Activity {
    var call: @Sendable () -> CacheCall
    /// The one within which it has begun, and which waits for its end.
    let outer: ActivityID?
    /// Its waits except that for its turn, and how often it waits for each.
    var waits: [Wait: Int] = [:]
    /// Its place in the line of transactions.
    var ticket: UInt64?
  }

  private var activities: [ActivityID: Activity] = [:]
  /// The store's calls that fetch batches.
  private var fetches: [Loader.BatchID: ActivityID] = [:]
  /// The line of transactions.
  private var line: [UInt64: ActivityID] = [:]
  /// The holders in the line that wait for something besides their turn.
  private var busy: [UInt64: ActivityID] = [:]
  /// The waiters within activities.
  private var nested: [Loader.WaiterID: ActivityID] = [:]

  var isEmpty: Bool { activities.isEmpty && fetches.isEmpty && line.isEmpty && nested.isEmpty }

  // MARK: Activities

  /// Begins an activity, with its call for an error.
  ///
  /// The path has the activities within which it has begun, of any cache, the innermost last; some
  /// may have ended.
  mutating func begin(
    _ id: ActivityID, in path: [ActivityID], _ call: @escaping @Sendable () -> CacheCall
  ) {
    let outer = innermost(of: path)
    activities[id] = Activity(call: call, outer: outer)
    if let outer { add(.activity(id), to: outer) }
  }

  mutating func end(_ id: ActivityID) {
    guard let ended = activities.removeValue(forKey: id) else { return }
    if let ticket = ended.ticket { leave(ticket) }
    if let outer = ended.outer { remove(.activity(id), from: outer) }
  }

  mutating func beginFetch(
    _ id: ActivityID, of batch: Loader.BatchID, _ call: @escaping @Sendable () -> CacheCall
  ) {
    activities[id] = Activity(call: call, outer: nil)
    fetches[batch] = id
  }

  mutating func endFetch(of batch: Loader.BatchID) {
    if let id = fetches.removeValue(forKey: batch) { end(id) }
  }

  /// Returns the innermost running activity of this cache on a path.
  func innermost(of path: [ActivityID]) -> ActivityID? {
    path.last { activities.index(forKey: $0) != nil }
  }

  /// Returns the call of an activity; for a transaction within a call of the store, that call.
  func call(_ id: ActivityID) -> CacheCall? {
    guard let activity = activities[id] else { return nil }
    let call = activity.call()
    if case .write = call, let outer = activity.outer { return self.call(outer) ?? call }
    return call
  }

  /// Replaces the call of the innermost activity of a path; returns the activity, and its call
  /// before, or `nil` if there is none.
  mutating func restate(
    _ path: [ActivityID], _ call: @escaping @Sendable () -> CacheCall
  ) -> (id: ActivityID, call: @Sendable () -> CacheCall)? {
    guard let id = innermost(of: path), let index = activities.index(forKey: id) else {
      return nil
    }
    defer { activities.values[index].call = call }
    return (id, activities.values[index].call)
  }

  /// Returns whether an activity is within another, which waits for it.
  func isWithinAnother(_ id: ActivityID) -> Bool { activities[id]?.outer != nil }

  func fetch(of batch: Loader.BatchID) -> ActivityID? { fetches[batch] }

  // MARK: Waiting

  mutating func add(_ wait: Wait, to id: ActivityID) {
    change(id) { $0.waits[wait, default: 0] += 1 }
    if case .waiter(let waiter) = wait { nested[waiter] = id }
  }

  mutating func remove(_ wait: Wait, from id: ActivityID) {
    if case .waiter(let waiter) = wait { nested[waiter] = nil }
    change(id) { activity in
      if let count = activity.waits[wait] { activity.waits[wait] = count > 1 ? count - 1 : nil }
    }
  }

  private mutating func change(_ id: ActivityID, _ body: (inout Activity) -> Void) {
    // By its index: changing a part of it by its key would allocate memory each time.
    guard let index = activities.index(forKey: id) else { return }
    body(&activities.values[index])
    guard let ticket = activities.values[index].ticket else { return }
    if !activities.values[index].waits.isEmpty {
      busy[ticket] = id
    } else if !busy.isEmpty {
      busy[ticket] = nil
    }
  }

  /// Ends the wait of a waiter, if it is within an activity.
  mutating func endWait(of waiter: Loader.WaiterID) {
    if let id = nested[waiter] { remove(.waiter(waiter), from: id) }
  }

  /// Returns whether a waiter waits within an activity.
  func isNested(_ waiter: Loader.WaiterID) -> Bool { nested[waiter] != nil }

  /// Returns the waits of an activity, except for that for its turn.
  func waits(of id: ActivityID) -> [Wait] { activities[id].map { Array($0.waits.keys) } ?? [] }

  // MARK: Turns

  /// Gives an activity a place in the line of transactions.
  mutating func assignTicket(_ ticket: UInt64, for id: ActivityID) {
    change(id) { $0.ticket = ticket }
    line[ticket] = id
  }

  /// Removes a place from the line.
  mutating func leave(_ ticket: UInt64) {
    guard let id = line.removeValue(forKey: ticket) else { return }
    if !busy.isEmpty { busy[ticket] = nil }
    change(id) { $0.ticket = nil }
  }

  /// Returns the holder of a place in the line.
  func holder(of ticket: UInt64) -> ActivityID? { line[ticket] }

  /// The activity that has the turn.
  var first: ActivityID? { line.min { $0.key < $1.key }?.value }

  /// Returns the activities before another in the line that wait for something besides their turn:
  /// the rest wait for these, or for nothing.
  ///
  /// - Complexity: O(*n*) in those that do.
  func ahead(of id: ActivityID) -> [ActivityID] {
    guard let ticket = activities[id]?.ticket else { return [] }
    return busy.filter { $0.key < ticket }.map(\.value)
  }

  /// Returns whether an activity can never end, because everything that it needs also needs it.
  ///
  /// A closure returns the needs of an activity: of each list, one must end.
  ///
  /// - Complexity: O(*n*²) in the activities that it waits for.
  func isStuck(_ start: ActivityID, _ needs: (ActivityID) -> [[ActivityID]]) -> Bool {
    var known: [ActivityID: [[ActivityID]]] = [:]
    var found = [start]
    while let id = found.popLast() {
      if known[id] != nil { continue }
      let lists = needs(id)
      known[id] = lists
      found += lists.joined()
    }
    // The activities that can end: those that need nothing, those that need only these, and so on.
    var able: Set<ActivityID> = []
    var count = -1
    while able.count > count {
      count = able.count
      for (id, lists) in known where lists.allSatisfy({ !able.isDisjoint(with: $0) }) {
        able.insert(id)
      }
    }
    return !able.contains(start)
  }
}
