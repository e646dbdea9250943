/// The referrers among the staged values of a type, by one relationship.
struct StagedReferrers<SourceID: Hashable & Sendable, TargetID: Hashable & Sendable>: Sendable {
  var lists = ReferrerLists<SourceID, TargetID>()
  /// By position, the targets that the lists have of the value.
  var targets: [Int: [TargetID]] = [:]
  /// The number of log entries that the lists include.
  var seen = 0

  init() {}

  mutating func catchUp<Element: Cacheable>(
    with values: StagedValues<Element>, _ read: (Element) -> [TargetID]
  ) where Element.ID == SourceID {
    while seen < values.log.count {
      let position = values.log[seen]
      seen &+= 1
      let value = values.values[position]
      if let old = targets.removeValue(forKey: position) { lists.remove(value.id, from: old) }
      guard let element = value.current.element else { continue }
      let new = read(element)
      lists.add(value.id, to: new)
      if !new.isEmpty { targets[position] = new }
    }
  }
}
