/// The difference between a set of records and the previous one: inserted, updated, removed, in no
/// order.
///
/// The elements are of a record type, or `any GraphRecord` if there are several.
public struct RecordDiff<Element: Sendable>: ObservedDifference {
  /// The records that may differ.
  public typealias Record = Element

  /// A record before and after a change.
  public struct Update: Sendable {
    /// The previous value of the record.
    public let old: Element
    /// The new value of the record.
    public let new: Element

    @inlinable
    init(old: Element, new: Element) { (self.old, self.new) = (old, new) }
  }

  /// The records that are new.
  public internal(set) var inserted: [Element] = []
  /// The records that have changed.
  public internal(set) var updated: [Update] = []
  /// The removed records, with their old values.
  public internal(set) var removed: [Element] = []

  @usableFromInline
  init(inserted: [Element] = [], updated: [Update] = [], removed: [Element] = []) {
    (self.inserted, self.updated, self.removed) = (inserted, updated, removed)
  }

  /// Whether there is no difference.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty }

  private func applying<Key>(
    to records: [Key: Element], by key: (Element) -> Key
  ) -> [Key: Element] {
    var records = records
    for record in removed { records[key(record)] = nil }
    for record in updated.map(\.new) + inserted { records[key(record)] = record }
    return records
  }
}

/// The difference between two sets of records of any types.
///
/// A record that a graph no longer holds counts as removed. It may still exist without a
/// relationship of the plan that leads to it.
public typealias GraphDiff = RecordDiff<any GraphRecord>

extension RecordDiff where Element: GraphRecord {
  /// Returns a set of records with the difference applied.
  ///
  /// - Parameter records: The old records, by id.
  /// - Returns: The new records.
  /// - Complexity: O(*n*) in the records, or O(*m*) in the difference if they are not shared.
  public func applying(to records: [Element.ID: Element]) -> [Element.ID: Element] {
    applying(to: records) { $0.id }
  }
}

extension RecordDiff where Element == any GraphRecord {
  /// Returns a set of records of any type with the difference applied.
  ///
  /// - Parameter records: The old records.
  /// - Returns: The new records.
  /// - Complexity: O(*n*) in the records, or O(*m*) in the difference if they are not shared.
  public func applying(to records: [AnyRef: any GraphRecord]) -> [AnyRef: any GraphRecord] {
    applying(to: records) { AnyRef(to: $0) }
  }
}
