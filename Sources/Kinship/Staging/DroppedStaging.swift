/// What a transaction replaced among its changes while the cache's lock was held, until that is
/// released.
@usableFromInline
final class DroppedStaging: Sendable {
  private let values = Lock<[any Sendable]>([])

  init() {}

  @usableFromInline
  func append(_ replaced: any Sendable) { values.withLock { $0.append(replaced) } }

  /// Destroys it, outside of all locks.
  func removeAll() {
    let dropped = values.withLock { values in
      defer { values = [] }
      return values
    }
    withExtendedLifetime(dropped) {}
  }
}
