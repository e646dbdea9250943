/// What an observer knows of its records: their newest values, and those that it has shown.
struct TrackedRecords<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The newest known value of each record that exists.
  private(set) var latest: [Key: Value] = [:]
  /// The records that must be read before anything can be shown.
  private(set) var unknown: Set<Key> = []
  /// By record that was marked since the last element: what that one showed.
  private(set) var shown: [Key: Value?] = [:]
  /// The records that were written since the last element.
  private(set) var written: Set<Key> = []
  /// The records that are followed; `nil` for all that there are.
  private var keys: Set<Key>?

  init(_ keys: Set<Key>?) { self.keys = keys }

  func isFollowed(_ key: Key) -> Bool { keys?.contains(key) ?? true }

  /// Goes on with other records.
  mutating func follow(_ keys: Set<Key>) {
    for key in (self.keys ?? []).subtracting(keys) {
      latest[key] = nil
      shown[key] = nil
      unknown.remove(key)
      written.remove(key)
    }
    self.keys = keys
  }

  mutating func apply(_ marks: Marks<Key, Value>) {
    for (key, mark) in marks.byKey where isFollowed(key) { apply(mark, to: key) }
  }

  private mutating func apply(_ mark: Mark<Value>, to key: Key) {
    switch mark {
    case .written(let value):
      unknown.remove(key)
      set(key, value, wasWritten: true)
    case .loaded(let value):
      let wasUnknown = unknown.remove(key) != nil
      set(key, value, wasWritten: wasUnknown)
    case .removed:
      unknown.remove(key)
      set(key, nil, wasWritten: true)
    case .unknown:
      // Who follows whatever there is reads again only what it has shown.
      if keys != nil || latest[key] != nil { unknown.insert(key) }
    }
  }

  /// Takes in what was read of a record that was unknown.
  mutating func resolve(_ key: Key, _ value: Value?) {
    if unknown.remove(key) != nil { set(key, value, wasWritten: true) }
  }

  private mutating func set(_ key: Key, _ value: Value?, wasWritten: Bool) {
    let old = latest[key]
    if old == nil, value == nil { return }
    if shown[key] == nil { shown[key] = .some(old) }
    if wasWritten { written.insert(key) }
    latest[key] = value
  }

  /// What is newest has been shown.
  mutating func noteShown() {
    shown = [:]
    written = []
  }

  /// The difference between what was shown and what is newest, of records in no order.
  func difference(_ comparison: RecordComparison<Value>) -> (diff: RecordDiff<Value>, counts: Bool)
  {
    var diff = RecordDiff<Value>()
    var counts = false
    for (key, old) in shown {
      switch (old, latest[key]) {
      case (nil, nil): break
      case (nil, let new?): diff.inserted.append(new)
      case (let old?, nil): diff.removed.append(old)
      case (let old?, let new?):
        guard comparison.isUpdate(old, new, wasWritten: written.contains(key)) else { continue }
        diff.updated.append(.init(old: old, new: new))
        counts = counts || comparison.counts(old, new)
      }
    }
    return (diff, counts || !diff.inserted.isEmpty || !diff.removed.isEmpty)
  }
}
