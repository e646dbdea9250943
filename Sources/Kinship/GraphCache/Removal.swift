extension GraphCache {
  /// A record that left the cache, with the reason.
  public struct Removal: Sendable {
    /// A ref to the record.
    public let ref: AnyRef
    /// The record as it was.
    public let record: any GraphRecord
    /// The reason why it left.
    public let reason: RemovalReason

    init?(_ removed: RemovedElement) {
      // Only records are put into a cache's map.
      guard let record = removed.element as? any GraphRecord else { return nil }
      self.record = record
      ref = AnyRef(to: record)
      reason = removed.reason
    }

    static func ref(of element: any Cacheable) -> AnyRef? {
      (element as? any GraphRecord).map { AnyRef(to: $0) }
    }
  }
}
