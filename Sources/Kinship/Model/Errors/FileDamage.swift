#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Damage in a file: bytes that differ from the ones that were written.
///
/// It is the cause in ``KinshipError/FileFailure/damaged(_:)``, and a salvage reports one for each
/// record that it could not restore.
public struct FileDamage: Error, Sendable {
  /// The file's path.
  public let file: String
  /// The offset in the file, in bytes from its beginning.
  public let offset: Int
  /// The record type's name, if it is known.
  public let type: String?
  /// The record's id, if it is known.
  public let id: (any Hashable & Sendable)?
  /// The damage in a few words.
  public let cause: String

  /// Describes damage at an offset in a file, in bytes from its beginning.
  ///
  /// The name of the record type and the id are given if they are known.
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
  /// The damage and its place, in a sentence.
  public var description: String {
    let record = type.map { type in id.map { "\(type)(\($0)): " } ?? "\(type): " } ?? ""
    return "\(file) is damaged at byte \(offset): \(record)\(cause.asSentence)"
  }
}

extension FileDamage: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}

/// The treatment of damage in files.
public enum DamagePolicy: Hashable, Sendable {
  /// Throw the first damage that is found.
  ///
  /// A damaged snapshot is not restored at all. A `FileStore` does not read every byte when it is
  /// opened: see `KinshipFileStore` for what is checked when.
  case refuse
  /// Read every byte, keep the intact data, and report all damage.
  case salvage
}
