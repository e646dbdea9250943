/// A backing store's notes on changes, beyond the records in them.
///
/// A change set, its inverse, and the transaction that applies the inverse share it.
final class StoreNotes: Sendable {
  private struct Key: Hashable, Sendable {
    let type: ObjectIdentifier
    let id: ErasedID

    init(_ id: any Hashable & Sendable, _ type: Any.Type) {
      self.type = ObjectIdentifier(type)
      self.id = ErasedID(id)
    }
  }

  private struct State {
    var kept: [Key: any Sendable] = [:]
    var reports: [any Sendable] = []
  }

  private let state = Lock(State())

  init() {}

  // MARK: Deleted records

  /// Keeps stored values of a deleted record that are not in it.
  func keep(_ value: any Sendable, of id: any Hashable & Sendable, _ type: Any.Type) {
    let key = Key(id, type)
    // The earlier value is destroyed outside of the lock.
    _ = state.withLock { $0.kept.updateValue(value, forKey: key) }
  }

  func kept(of id: any Hashable & Sendable, _ type: Any.Type) -> (any Sendable)? {
    if state.withLock({ $0.kept.isEmpty }) { return nil }
    let key = Key(id, type)
    return state.withLock { $0.kept[key] }
  }

  /// Adds the values that other notes keep.
  func add(_ others: StoreNotes) {
    let added = others === self ? [:] : others.state.withLock(\.kept)
    if added.isEmpty { return }
    _ = state.withLock { state in
      let before = state.kept
      state.kept.merge(added) { $1 }
      return before
    }
  }

  func removeAll() {
    _ = state.withLock { state in
      defer { state = State() }
      return state
    }
  }

  // MARK: Commits

  /// Adds a report on a commit, beyond its changes.
  func report(_ report: some Sendable) { state.withLock { $0.reports.append(report) } }

  /// The reports of a type: all are of one.
  func reports<Report>(_ type: Report.Type) -> [Report] {
    state.withLock { $0.reports.compactMap { $0 as? Report } }
  }

  /// Removes and returns the reports.
  func takeReports<Report>(_ type: Report.Type) -> [Report] {
    state.withLock { state in
      defer { if !state.reports.isEmpty { state.reports = [] } }
      return state.reports.compactMap { $0 as? Report }
    }
  }
}
