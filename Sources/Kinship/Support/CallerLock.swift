/// A lock that may run a caller's closure while it is held, and that reports if that closure needs
/// the lock itself.
///
/// A plain mutex would end the program there as well, or wait for ever, without naming the closure.
@usableFromInline
package struct CallerLock<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let lock: Lock<Value>
  @usableFromInline let closure = RunningClosure()

  @inlinable
  package init(_ value: consuming sending Value) { lock = Lock(value) }

  /// Calls a closure of the library with exclusive use of the state.
  ///
  /// - Parameter body: The closure; it must be short, and must not use the lock.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    if closure.isRunning { refuseReentry() }
    return try lock.withLock(body)
  }

  /// Calls a closure of the library that runs a caller's, with exclusive use of the state.
  ///
  /// The file and the line are those at which the caller passed its closure. The library's closure
  /// must be short, and must not use the lock.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, E: Error>(
    runningClosureFrom file: StaticString, _ line: UInt,
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    try withLock { value throws(E) -> sending Result in
      closure.begin(file, line)
      defer { closure.end() }
      return try body(&value)
    }
  }

  /// Ends the program if the closure that runs is on this thread: it would wait for itself.
  @usableFromInline
  borrowing func refuseReentry() {
    if !closure.isHere { return }
    fatalError(
      """
      The closure that was given to the cache at \(closure.place) called the cache. The cache is \
      locked while the closures of `read` and `reduce` run: read before or after, or copy the \
      records out.
      """)
  }
}
