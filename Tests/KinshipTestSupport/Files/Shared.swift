import Kinship

/// A value that closures on several threads share.
package final class Shared<Value: Sendable>: Sendable {
  private let state: Lock<Value>

  /// Creates it with a value.
  package init(_ value: Value) { state = Lock(value) }

  /// The value as it is now.
  package var value: Value { state.withLock { $0 } }

  /// Changes the value.
  package func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}
