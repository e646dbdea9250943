/// How a set of records differs from the one shown before: inserted, updated, removed, in no order.
///
/// The elements are of a record type, or `any GraphRecord` where there are several.
public struct RecordDiff<Element: Sendable>: Sendable {
  /// A record before and after a change.
  public struct Update: Sendable {
    /// The record as it was shown before.
    public let old: Element
    /// The record as it is.
    public let new: Element

    @inlinable
    init(old: Element, new: Element) { (self.old, self.new) = (old, new) }
  }

  /// The records that are new.
  public internal(set) var inserted: [Element] = []
  /// The records that have changed.
  public internal(set) var updated: [Update] = []
  /// The records that are there no longer, as they were.
  public internal(set) var removed: [Element] = []

  @usableFromInline
  init(inserted: [Element] = [], updated: [Update] = [], removed: [Element] = []) {
    (self.inserted, self.updated, self.removed) = (inserted, updated, removed)
  }

  /// Whether there is no difference.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty }
}

extension RecordDiff where Element: GraphRecord {
  /// Makes the difference to a set of records.
  ///
  /// - Parameter records: The records shown before, by id.
  /// - Returns: The records as they are.
  /// - Complexity: O(*n*) in the records, and O(*m*) in the difference where they are not shared.
  public func applying(to records: [Element.ID: Element]) -> [Element.ID: Element] {
    var records = records
    for record in removed { records[record.id] = nil }
    for update in updated { records[update.new.id] = update.new }
    for record in inserted { records[record.id] = record }
    return records
  }
}

extension RecordDiff where Element == any GraphRecord {
  /// Makes the difference to a set of records of any type.
  ///
  /// - Parameter records: The records shown before.
  /// - Returns: The records as they are.
  /// - Complexity: O(*n*) in the records, and O(*m*) in the difference where they are not shared.
  public func applying(to records: [AnyRef: any GraphRecord]) -> [AnyRef: any GraphRecord] {
    var records = records
    for record in removed { records[AnyRef(to: record)] = nil }
    for update in updated { records[AnyRef(to: update.new)] = update.new }
    for record in inserted { records[AnyRef(to: record)] = record }
    return records
  }
}

extension AnyRef {
  /// The ref of a record whose type is known at run time only.
  init(to record: any GraphRecord) {
    func ref<R: GraphRecord>(_ record: R) -> AnyRef { AnyRef(record.ref) }
    self = ref(record)
  }
}
