/// The known records of all types, and the difference from the previous element.
public struct CacheChange: ObservedChange {
  /// The records that are or have been in memory and have not been removed.
  public let value: [AnyRef: any GraphRecord]
  /// The difference from the previous records; the first element differs from an empty set.
  public let diff: RecordDiff<any GraphRecord>

  /// Always `false`: records in memory are there at once, and others are not loaded.
  public var isLoading: Bool { false }
}
