/// The difference between a record and its previous value.
public enum RecordChange<R: GraphRecord>: ObservedDifference {
  /// The record that may differ.
  public typealias Record = R

  /// No change; it may have finished loading.
  case none
  /// The record is new to the observer.
  case inserted(R)
  /// It has changed.
  case updated(RecordDiff<R>.Update)
  /// The record no longer exists; this was its last value.
  case removed(R)

  /// Returns a record with the difference applied.
  ///
  /// - Parameter record: The record of the previous element; `nil` before the first.
  /// - Returns: The current record.
  public func applying(to record: R?) -> R? {
    switch self {
    case .none: record
    case .inserted(let record): record
    case .updated(let update): update.new
    case .removed: nil
    }
  }

  /// The difference of a list that has at most this record.
  @inlinable
  init(_ diff: ListDiff<R>) {
    if let update = diff.updated.first {
      self = .updated(.init(old: update.old, new: update.new))
    } else if let place = diff.inserted.first {
      self = .inserted(place.element)
    } else if let place = diff.removed.first {
      self = .removed(place.element)
    } else {
      self = .none
    }
  }
}
