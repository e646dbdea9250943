internal import Kinship

/// How far the copying of a store has come: keep it, and an interrupted copy goes on from there.
public struct CopyProgress: Codable, Hashable, Sendable {
  /// The name of the type whose records were copied last.
  public internal(set) var type: String
  /// How many records were copied, those included that the destination had already.
  public internal(set) var copied = 0
  /// How many of them were written, since the destination had none of their ids, or other records.
  public internal(set) var written = 0
  /// The id of the last record in its order, as JSON; `nil` before the first of a type.
  var last: String?

  init(type: String) { self.type = type }
}

/// What the copying of a store has done.
public struct CopyReport: Hashable, Sendable {
  /// How many records were copied, those included that the destination had already.
  public let copied: Int
  /// How many of them were written, since the destination had none of their ids, or other records.
  public let written: Int
  /// By type: what both stores have.
  public let digests: [RecordDigest]
}
