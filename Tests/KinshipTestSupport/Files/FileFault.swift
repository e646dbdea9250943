import Kinship

/// A fault in a call of a file system.
package struct FileFault: Hashable, Sendable {
  /// How a call goes wrong.
  package enum Kind: Hashable, Sendable {
    /// It fails, and does nothing.
    case error(Int32)
    /// It fails, after a part of what it was to write was written; after a sync of a file on a
    /// simulated disk what was not synced is lost, whatever a later sync says. Other calls do
    /// nothing.
    case errorAfterPart(Int32)
    /// It reads or writes a part only; other calls are as always.
    case short
    /// It reads or writes nothing, without an error; other calls are as always.
    case nothing
  }

  /// How the call goes wrong.
  package let kind: Kind
  /// The calls that go wrong, by their numbers.
  package let calls: ClosedRange<Int>

  /// A fault of one call.
  ///
  /// - Parameters:
  ///   - kind: How it goes wrong.
  ///   - call: Its number, from 1 on.
  /// - Returns: The fault.
  package static func once(_ kind: Kind, at call: Int) -> FileFault {
    FileFault(kind: kind, calls: call...call)
  }

  /// A fault of a call and all that follow.
  ///
  /// - Parameters:
  ///   - kind: How they go wrong.
  ///   - call: The number of the first, from 1 on.
  /// - Returns: The fault.
  package static func always(_ kind: Kind, from call: Int) -> FileFault {
    FileFault(kind: kind, calls: call ... .max)
  }

  /// Faults of all kinds, as systems have them.
  package static let kinds: [Kind] = [
    .error(SystemErrorCode.noSpace), .errorAfterPart(SystemErrorCode.noSpace),
    .error(SystemErrorCode.deviceFailed), .errorAfterPart(SystemErrorCode.deviceFailed),
    .error(SystemErrorCode.interrupted), .error(SystemErrorCode.tooManyFiles), .short, .nothing,
  ]
}
