@testable import Kinship

/// The contents of two tiers, in dictionaries: the far store's present and past, and the copies.
struct TieredModel {
  enum Key: Hashable {
    case note(Int)
    case draft(String)
    case answer(String)
  }

  struct Value: Hashable {
    var group: Int
    var value: Int
    var version: Int?
  }

  struct Copy {
    var value: Value?
    /// The keys of a kept answer.
    var keys: [Key] = []
    var asOf: Int
    var used: Int
  }

  let limit: Int
  /// Seconds.
  var now = 0
  var far: [Key: Value] = [:]
  /// The far store's value from each time on; `nil` if there was none.
  private(set) var history: [Key: [(time: Int, value: Value?)]] = [:]
  private(set) var near: [Key: Copy] = [:]
  private var lastUse = 0

  init(limit: Int) { self.limit = limit }

  mutating func setFar(_ key: Key, _ value: Value?) {
    far[key] = value
    history[key, default: []].append((now, value))
  }

  /// Whether the far store had a value at some time, not longer ago than some seconds.
  ///
  /// The properties of a record without a version count separately, because others may have written
  /// the rest.
  func had(_ key: Key, _ value: Value, notBefore time: Int) -> Bool {
    let all = history[key] ?? []
    let since = all.indices.filter { $0 + 1 == all.count || all[$0 + 1].time >= time }
    func had(_ matches: (Value) -> Bool) -> Bool {
      since.contains { all[$0].value.map(matches) == true }
    }
    if value.version != nil { return had { $0 == value } }
    return had { $0.group == value.group } && had { $0.value == value.value }
  }

  mutating func drop() { near = [:] }

  private mutating func nextUse() -> Int {
    lastUse += 1
    return lastUse
  }

  mutating func keep(_ key: Key, _ value: Value?, keys: [Key] = [], asOf: Int? = nil) {
    near[key] = Copy(value: value, keys: keys, asOf: asOf ?? now, used: nextUse())
  }

  mutating func put(_ key: Key, _ copy: Copy) { near[key] = copy }

  mutating func takeOut(_ key: Key) -> Copy? { near.removeValue(forKey: key) }

  /// Returns the copies of some keys that are no older than some seconds, and notes their use.
  mutating func use(_ keys: [Key], within limit: Int?, isFresh: Bool) -> [Key] {
    var found: [Key] = []
    for key in keys {
      guard let copy = near[key] else { continue }
      if let limit, now - copy.asOf > limit || (isFresh && limit == 0) { continue }
      let use = nextUse()
      near[key]?.used = use
      found.append(key)
    }
    return found
  }

  /// Drops the least recently used copies.
  mutating func evict() {
    if near.count <= limit { return }
    let oldest = near.sorted { $0.value.used < $1.value.used }.map(\.key)
    for key in oldest.prefix(near.count - (limit - limit / 8)) { near[key] = nil }
  }

  /// Answers a query for a group, in order.
  func answer(_ keys: [Key], _ group: Int, limit: Int?, _ value: (Key) -> Value?) -> [Key] {
    let found = keys.filter { value($0)?.group == group }.sorted { Self.order($0) < Self.order($1) }
    return Array(found.prefix(limit ?? .max))
  }

  private static func order(_ key: Key) -> String {
    switch key {
    case .note(let id): "\(id)"
    case .draft(let id), .answer(let id): id
    }
  }
}
