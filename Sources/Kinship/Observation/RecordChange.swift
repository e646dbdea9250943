/// A record, and the difference from the previous element.
public struct RecordChange<R: GraphRecord>: ObservedChange {
  /// The change of a record.
  public enum Difference: Sendable {
    /// No change; it may have finished loading.
    case none
    /// The record is new to the observer.
    case inserted(R)
    /// It has changed.
    case updated(RecordDiff<R>.Update)
    /// The record no longer exists; this was its last value.
    case removed(R)
  }

  /// The record, or `nil` if it does not exist, or is not loaded yet.
  public let value: R?
  /// The difference from the previous record.
  public let difference: Difference
  /// Whether the record is still to be loaded.
  public let isLoading: Bool

  @inlinable
  init(_ change: ListChange<R>) {
    value = change.value.first
    isLoading = change.isLoading
    if let update = change.diff.updated.first {
      difference = .updated(.init(old: update.old, new: update.new))
    } else if let place = change.diff.inserted.first {
      difference = .inserted(place.record)
    } else if let place = change.diff.removed.first {
      difference = .removed(place.record)
    } else {
      difference = .none
    }
  }

  /// Returns a record with the difference applied.
  ///
  /// - Parameter record: The record of the previous element; `nil` before the first.
  /// - Returns: The current record.
  public func applying(to record: R?) -> R? {
    switch difference {
    case .none: record
    case .inserted(let record): record
    case .updated(let update): update.new
    case .removed: nil
    }
  }
}
