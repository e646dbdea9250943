/// The closure of a transaction that runs at this moment, and what it has read past the
/// transaction.
///
/// Its reads are the transaction's. By `peek` it would see what was before, and what it then writes
/// would rest on that: no order of the transactions could explain it.
@usableFromInline
struct TransactionClosure: ~Copyable, Sendable {
  @usableFromInline let closure = RunningClosure()
  private let misreading = Lock<AnyRef?>(nil)

  @inlinable var isRunning: Bool { closure.isRunning }

  func begin() { closure.begin("", 0) }

  /// Notes that a record is read from the cache, in case it is by the closure.
  @usableFromInline
  func noteRead<R: GraphRecord>(of ref: Ref<R>) {
    guard closure.isHere else { return }
    let ref = AnyRef(ref)
    misreading.withLock { $0 = $0 ?? ref }
  }

  /// The closure has ended.
  ///
  /// - Returns: The error that it has read past the transaction, if it has.
  func end() -> KinshipError? {
    closure.end()
    let ref = misreading.withLock { $0.take() }
    return ref.map { .readPastTransaction($0) }
  }
}
