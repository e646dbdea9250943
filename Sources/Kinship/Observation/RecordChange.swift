/// A record as it is, and how it differs from what the observer was told before.
public struct RecordChange<R: GraphRecord>: ObservedChange {
  /// What has become of a record.
  public enum Difference: Sendable {
    /// Nothing; whether it is still being loaded may have changed.
    case none
    /// It is there now, for the observer.
    case inserted(R)
    /// It has changed.
    case updated(RecordDiff<R>.Update)
    /// It does not exist any longer: this is what it was.
    case removed(R)
  }

  /// The record, or `nil` if it does not exist, or is not loaded yet.
  public let value: R?
  /// How the record differs from the one before.
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

  /// Makes the difference to a record.
  ///
  /// - Parameter record: The record as it was told before; `nil` before the first change.
  /// - Returns: The record as it is.
  public func applying(to record: R?) -> R? {
    switch difference {
    case .none: record
    case .inserted(let record): record
    case .updated(let update): update.new
    case .removed: nil
    }
  }
}
