/// An observer's records: their newest values, and those that it has shown.
@usableFromInline
struct TrackedRecords<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The newest known value of each record that exists.
  @usableFromInline var latest: [Key: Value] = [:]
  /// The records that must be read before anything can be shown.
  @usableFromInline var unknown: Set<Key> = []
  /// The shown values of the records that were marked since the last element.
  @usableFromInline var shown: [Key: Value?] = [:]
  /// The records that were written since the last element.
  @usableFromInline var written: Set<Key> = []
  /// The records that are followed; `nil` for all.
  @usableFromInline var keys: Set<Key>?

  init(_ keys: Set<Key>?) { self.keys = keys }

  @inlinable
  func isFollowed(_ key: Key) -> Bool { keys?.contains(key) ?? true }

  /// Continues with other records.
  mutating func follow(_ keys: Set<Key>) {
    for key in (self.keys ?? []).subtracting(keys) {
      latest[key] = nil
      shown[key] = nil
      unknown.remove(key)
      written.remove(key)
    }
    self.keys = keys
  }

  // MARK: Many at once

  /// Applies marks and returns the difference, if all records are followed and nothing else must be
  /// shown or read: then the shown values need not be kept.
  ///
  /// - Returns: The difference; `nil` if the case is not that simple, and no marks were applied.
  @inlinable
  mutating func applyAtOnce(
    _ marks: Marks<Key, Value>, _ comparison: RecordComparison<Value>
  ) -> RecordDiff<Value>? {
    let isSimple =
      keys == nil && shown.isEmpty && unknown.isEmpty && marks.loss == nil
      && comparison.differsInFilter == nil && !marks.byKey.values.contains { $0.isUnknown }
    if !isSimple { return nil }
    var (inserted, removed): ([Value], [Value]) = ([], [])
    var updated: [RecordDiff<Value>.Update] = []
    for (key, mark) in marks.byKey {
      let (value, wasWritten): (Value, Bool)
      switch mark {
      case .written(let record): (value, wasWritten) = (record, true)
      case .loaded(let record): (value, wasWritten) = (record, false)
      case .removed, .unknown:
        if let old = latest.removeValue(forKey: key) { removed.append(old) }
        continue
      }
      guard let old = latest.updateValue(value, forKey: key) else {
        inserted.append(value)
        continue
      }
      if comparison.isUpdate(old, value, wasWritten: wasWritten) {
        updated.append(RecordDiff.Update(old: old, new: value))
      } else {
        shown[key] = .some(old)
      }
    }
    return RecordDiff(inserted: inserted, updated: updated, removed: removed)
  }

  // MARK: One by one

  @inlinable
  mutating func apply(_ marks: Marks<Key, Value>) {
    for (key, mark) in marks.byKey where isFollowed(key) { apply(mark, to: key) }
  }

  @inlinable
  mutating func apply(_ mark: Mark<Value>, to key: Key) {
    switch mark {
    case .written(let value):
      if !unknown.isEmpty { unknown.remove(key) }
      set(key, value, wasWritten: true)
    case .loaded(let value):
      let wasUnknown = !unknown.isEmpty && unknown.remove(key) != nil
      set(key, value, wasWritten: wasUnknown)
    case .removed:
      unknown.remove(key)
      set(key, nil, wasWritten: true)
    case .unknown:
      // An observer of a whole type reads again only the records that it has shown.
      if keys != nil || latest[key] != nil { unknown.insert(key) }
    }
  }

  /// Stores the value of a record that was unknown.
  mutating func resolve(_ key: Key, _ value: Value?) {
    if unknown.remove(key) != nil { set(key, value, wasWritten: true) }
  }

  @inlinable
  mutating func set(_ key: Key, _ value: Value?, wasWritten: Bool) {
    let old: Value?
    if let value {
      old = latest.updateValue(value, forKey: key)
    } else {
      old = latest.removeValue(forKey: key)
      if old == nil { return }
    }
    // O2: the difference begins with the value that was shown last.
    if shown.isEmpty || shown[key] == nil { shown[key] = .some(old) }
    if wasWritten { written.insert(key) }
  }

  /// Marks the newest values as shown.
  @inlinable
  mutating func markShown() {
    shown = [:]
    written = []
  }

  /// Returns the difference between the shown and the newest values, in no order.
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
