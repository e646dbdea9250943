/// The staged values of one type, in a box that can be shared while its type is forgotten.
@usableFromInline
final class StagedTable<Element: Cacheable>: Sendable {
  /// Nobody else has it while a transaction works on it: the lock is never waited for.
  @usableFromInline let values: Lock<StagedValues<Element>>

  @inlinable
  init(_ values: StagedValues<Element> = StagedValues()) { self.values = Lock(values) }

  /// Changes the values while the cache's lock is held: what they replace is kept until it is released.
  ///
  /// - Parameters:
  ///   - staging: The transaction, which keeps it.
  ///   - body: The changes.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @inlinable
  func change<Result: Sendable, E: Error>(
    in staging: Staging, _ body: (inout StagedValues<Element>) throws(E) -> Result
  ) throws(E) -> Result {
    try values.withLock { values throws(E) in
      values.replaced = []
      defer {
        if let replaced = values.replaced, !replaced.isEmpty { staging.dropped.append(replaced) }
        values.replaced = nil
      }
      return try body(&values)
    }
  }
}
