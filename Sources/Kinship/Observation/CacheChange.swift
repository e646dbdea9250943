/// The records of all types as far as they are known, and how they differ from what the observer
/// was told before.
public struct CacheChange: ObservedChange {
  /// The records that are or have been in memory and have not been removed.
  public let value: [AnyRef: any GraphRecord]
  /// How they differ from those before; the first ones differ from none.
  public let diff: RecordDiff<any GraphRecord>

  /// Always `false`: what is in memory is there at once, and what is not is not asked for.
  public var isLoading: Bool { false }
}
