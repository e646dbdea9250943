package import Kinship

/// One call of a file system.
package struct FileCall: Hashable, Sendable {
  /// The operation of the call.
  package let operation: SystemError.Operation
  /// The path of the file or the directory.
  package let path: String
  /// Which call it is, from 1 on.
  package let number: Int
}
