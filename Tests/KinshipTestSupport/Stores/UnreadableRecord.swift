public import Kinship

/// The reason why a ``ScriptedStore`` cannot read a record.
public struct UnreadableRecord: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ref that names the record.
  public let ref: AnyRef

  /// Creates an error.
  ///
  /// - Parameter ref: The ref that names the record.
  public init(ref: AnyRef) { self.ref = ref }

  /// Which record cannot be read.
  public var description: String { "\(ref) is illegible by script" }
}
