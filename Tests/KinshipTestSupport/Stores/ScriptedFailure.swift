/// The default error of a ``ScriptedStore``.
public struct ScriptedFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the call that failed.
  public let call: Int

  /// Creates a failure.
  ///
  /// - Parameter call: The number of the call that failed.
  public init(call: Int) {
    self.call = call
  }

  /// Which call failed.
  public var description: String { "store call \(call) failed by script" }
}
