public import Synchronization

/// State that several threads change, one at a time: a mutex.
///
/// On Linux the kernel hands over a contended mutex (`FUTEX_LOCK_PI`). The thread sanitizer does
/// not see it, and reports a race between any two holders. So in builds for the sanitizer an atomic
/// passes from each holder to the next, which it does see.
@usableFromInline
package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  #if KINSHIP_THREAD_SANITIZER
    @usableFromInline let turn = Atomic(false)
  #endif

  @inlinable
  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Calls a closure with exclusive use of the state.
  ///
  /// - Parameter body: The closure; it must be short, and must not use the lock.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    #if KINSHIP_THREAD_SANITIZER
      try mutex.withLock { value throws(E) -> sending Result in
        _ = turn.load(ordering: .acquiring)
        defer { turn.store(true, ordering: .releasing) }
        return try body(&value)
      }
    #else
      try mutex.withLock(body)
    #endif
  }
}
