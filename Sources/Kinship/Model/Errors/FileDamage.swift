#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Bytes of a file that are not what was written.
///
/// It is the cause in ``KinshipError/damaged(_:)``, and what a salvage reports of each record that
/// it could not restore.
public struct FileDamage: Error, Sendable {
  /// The file's path.
  public let file: String
  /// Where in the file, in bytes from its beginning.
  public let offset: Int
  /// The record type's name, if it is known.
  public let type: String?
  /// The record's id, if it is known.
  public let id: (any Hashable & Sendable)?
  /// What is wrong, in a few words.
  public let cause: String

  /// Describes damage.
  ///
  /// - Parameters:
  ///   - file: The file's path.
  ///   - offset: Where in the file, in bytes from its beginning.
  ///   - type: The record type's name, if it is known.
  ///   - id: The record's id, if it is known.
  ///   - cause: What is wrong, in a few words.
  package init(
    file: String, offset: Int, type: String? = nil, id: (any Hashable & Sendable)? = nil,
    cause: String
  ) {
    self.file = file
    self.offset = offset
    self.type = type
    self.id = id
    self.cause = cause
  }
}

extension FileDamage: CustomStringConvertible {
  /// What is wrong where, in a sentence.
  public var description: String {
    let record = type.map { type in id.map { "\(type)(\($0)): " } ?? "\(type): " } ?? ""
    return "\(file) is damaged at byte \(offset): \(record)\(cause)."
  }
}

extension FileDamage: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}
