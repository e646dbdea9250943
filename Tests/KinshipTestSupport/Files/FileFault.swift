import Kinship

/// A fault in a call of a file system.
package struct FileFault: Hashable, Sendable {
  /// The kind of a fault.
  package enum Kind: Hashable, Sendable {
    /// The call fails, and does nothing.
    case error(Int32)
    /// The call fails after it has written a part. After a failed sync of a file on a simulated
    /// disk, the unsynced data is lost, whatever a later sync says. Other calls do nothing.
    case errorAfterPart(Int32)
    /// The call reads or writes only a part. Other calls succeed.
    case short
    /// The call reads or writes nothing, without an error. Other calls succeed.
    case nothing
  }

  /// The kind of the fault.
  package let kind: Kind
  /// The numbers of the calls that fail.
  package let calls: ClosedRange<Int>

  /// A fault of one call.
  ///
  /// - Parameters:
  ///   - kind: The kind of the fault.
  ///   - call: Its number, from 1 on.
  /// - Returns: The fault.
  package static func once(_ kind: Kind, at call: Int) -> FileFault {
    FileFault(kind: kind, calls: call...call)
  }

  /// A fault of a call and all that follow.
  ///
  /// - Parameters:
  ///   - kind: The kind of the fault.
  ///   - call: The number of the first, from 1 on.
  /// - Returns: The fault.
  package static func always(_ kind: Kind, from call: Int) -> FileFault {
    FileFault(kind: kind, calls: call ... .max)
  }

  /// All kinds of faults that systems have.
  package static let kinds: [Kind] = [
    .error(SystemErrorCode.noSpace), .errorAfterPart(SystemErrorCode.noSpace),
    .error(SystemErrorCode.deviceFailed), .errorAfterPart(SystemErrorCode.deviceFailed),
    .error(SystemErrorCode.interrupted), .error(SystemErrorCode.tooManyFiles), .short, .nothing,
  ]
}
