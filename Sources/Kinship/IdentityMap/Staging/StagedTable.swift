/// The staged values of one type, in a box that can be shared while its type is forgotten.
@usableFromInline
final class StagedTable<Element: Cacheable>: Sendable {
  /// Nobody else has it while a transaction works on it: the lock is never waited for.
  @usableFromInline let values: Lock<StagedValues<Element>>

  @inlinable
  init(_ values: StagedValues<Element> = StagedValues()) { self.values = Lock(values) }
}
