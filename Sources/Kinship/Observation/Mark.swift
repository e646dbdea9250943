/// The latest event of a record that an observer has not taken yet; it replaces earlier ones.
@usableFromInline
enum Mark<Value: Sendable>: Sendable {
  /// A write has set the record.
  case written(Value)
  /// A load has brought the record: it counts only if it differs from the observer's.
  case loaded(Value)
  /// It does not exist.
  case removed
  /// The observer's record may be out of date: it must be read again.
  case unknown

  var isRemoved: Bool { if case .removed = self { true } else { false } }

  @inlinable var isUnknown: Bool { if case .unknown = self { true } else { false } }

  /// Returns the mark that replaces two in a row.
  @inlinable
  func followed(by next: Mark) -> Mark {
    guard case .loaded(let value) = next else { return next }
    if case .loaded = self { return next }
    // The record was marked before it was loaded: more than its place has changed.
    return .written(value)
  }
}

extension Mark where Value: GraphRecord {
  /// Returns the mark of an id after an event; `nil` if nothing has changed for observers.
  @inlinable
  init?(of id: Value.ID, _ event: RecordEvent, _ map: borrowing IdentityMap, hasStore: Bool) {
    if case .invalidated = event {
      self = .unknown
    } else if let record = map.peek(id, as: Value.self) {
      if case .loaded = event { self = .loaded(record) } else { self = .written(record) }
    } else if map.isMissing(id, as: Value.self) {
      self = .removed
    } else if case .written = event, hasStore {
      // Evicted already: with a store, it can be read again.
      self = .unknown
    } else {
      return nil
    }
  }
}

extension Mark {
  var isLoad: Bool { if case .loaded = self { true } else { false } }

  /// Calls a closure with the record, if the mark has one.
  func withRecord(_ body: (RecordPage?) -> Void) {
    switch self {
    case .written(let record), .loaded(let record):
      withUnsafePointer(to: record) { body(RecordPage($0)) }
    case .removed, .unknown: body(nil)
    }
  }
}

/// The marks of one observer on the records of one type: its buffer, with one entry a record.
@usableFromInline
struct Marks<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline var byKey: [Key: Mark<Value>] = [:]
  /// The reason why everything must be compared again, if it must.
  @usableFromInline var loss: Loss?

  /// The reason why marks on a whole type are missing.
  @usableFromInline
  enum Loss: Sendable {
    /// There were too many to keep.
    case overflow
    /// Everything may have changed.
    case reset
  }

  @inlinable
  init() {}

  var isEmpty: Bool { byKey.isEmpty && loss == nil }

  /// Adds a mark; returns the one that it replaces, if there is one.
  @inlinable
  mutating func add(_ mark: Mark<Value>, for key: Key) -> Mark<Value>? {
    guard let index = byKey.index(forKey: key) else {
      byKey[key] = mark
      return nil
    }
    let old = byKey.values[index]
    byKey.values[index] = old.followed(by: mark)
    return old
  }

  mutating func discard(_ loss: Loss) {
    byKey = [:]
    if self.loss != .reset { self.loss = loss }
  }
}

extension Marks where Value: GraphRecord, Key == Value.ID {
  /// The same marks, with refs as their keys.
  var erased: Marks<AnyRef, any GraphRecord> {
    var erased = Marks<AnyRef, any GraphRecord>()
    erased.loss = loss.map { $0 == .reset ? .reset : .overflow }
    for (id, mark) in byKey {
      erased.byKey[AnyRef(Ref<Value>(id))] =
        switch mark {
        case .written(let record): .written(record)
        case .loaded(let record): .loaded(record)
        case .removed: .removed
        case .unknown: .unknown
        }
    }
    return erased
  }
}

/// An event of records.
@usableFromInline
enum RecordEvent: Sendable {
  /// They were put, updated or removed.
  case written
  /// They were loaded, or the store has said that they do not exist.
  case loaded
  /// The known values may be out of date.
  case invalidated
}
