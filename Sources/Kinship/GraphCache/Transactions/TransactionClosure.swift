/// The transaction closure that is running, and its reads past the transaction.
///
/// A closure must read through its transaction. `peek` would return the values before the
/// transaction, and writes based on these would match no order of the transactions.
@usableFromInline
struct TransactionClosure: ~Copyable, Sendable {
  @usableFromInline let closure = RunningClosure()
  private let misreading = Lock<AnyRef?>(nil)

  @inlinable var isRunning: Bool { closure.isRunning }

  func begin() { closure.begin("", 0) }

  /// Records a read from the cache, in case the closure does it.
  @usableFromInline
  func recordRead<R: GraphRecord>(of ref: Ref<R>) {
    guard closure.isHere else { return }
    let ref = AnyRef(ref)
    misreading.withLock { $0 = $0 ?? ref }
  }

  /// Notes that the closure has ended.
  ///
  /// - Returns: The error that it has read past the transaction, if it has.
  func end() -> KinshipError? {
    closure.end()
    let ref = misreading.withLock { $0.take() }
    return ref.map { .misuse(.readPastTransaction($0)) }
  }
}
