internal import Kinship

/// The progress of a copy between stores.
///
/// Save it to resume an interrupted copy.
public struct CopyProgress: Codable, Hashable, Sendable {
  /// The name of the type that was copied last.
  public internal(set) var type: String
  /// The number of copied records, including those that the destination already had.
  public internal(set) var copied = 0
  /// The number of written records, which the destination did not have or had with other values.
  public internal(set) var written = 0
  /// The id of the last record in its order, as JSON; `nil` before the first of a type.
  var last: String?

  init(type: String) { self.type = type }
}

/// The result of a copy between stores.
public struct CopyReport: Hashable, Sendable {
  /// The number of copied records, including those that the destination already had.
  public let copied: Int
  /// The number of written records, which the destination did not have or had with other values.
  public let written: Int
  /// The digest of each type, the same in both stores.
  public let digests: [RecordDigest]
}
