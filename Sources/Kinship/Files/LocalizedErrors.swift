#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension KinshipError: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension FileDamage: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension PartialAnswer: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension SystemError: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension UnexpectedModel: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension UntranslatableField: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension UntranslatableField.NoValue: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension FileReplacementError: LocalizedError, CustomStringConvertible {
  /// Says whether the file was replaced, and the cause.
  public var description: String {
    switch self {
    case .failed(let cause): "The file was not replaced: \(cause)"
    case .unconfirmed(let cause):
      "The file was replaced, but a loss of power may bring the old one back: \(cause)"
    }
  }

  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}
