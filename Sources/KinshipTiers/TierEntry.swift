public import Kinship

/// What a ``TieredStore`` notes beside each copy in its near store: of when it is.
///
/// It is written and deleted together with the copy, so that there is none without it.
public struct TierEntry<R: GraphRecord>: GraphRecord {
  /// The id of the copy.
  public let id: R.ID
  /// When the far store had the record so: microseconds since 1970.
  public var asOf: Int
  /// When the copy was used last, as far as that was written: microseconds since 1970.
  public var used: Int
  /// The bytes of the copy.
  public var bytes: Int

  /// The name of the records' type, as that of an entry.
  public static var recordName: String { "TierEntry<\(R.recordName)>" }
}

extension TierEntry: Codable where R.ID: Codable {}

/// The answer to a query, as a ``TieredStore`` keeps it in its near store.
public struct TierAnswer<R: GraphRecord>: GraphRecord {
  /// The query in words.
  public let id: String
  /// The ids of the records, in order; those written since come last.
  public var ids: [R.ID]

  /// The name of the records' type, as that of an answer.
  public static var recordName: String { "TierAnswer<\(R.recordName)>" }
}

extension TierAnswer: Codable where R.ID: Codable {}

extension GraphRecord {
  /// The types of which copies are kept for this type: its records, and the answers to queries.
  static var keptTypes: [any GraphRecord.Type] { [Self.self, TierAnswer<Self>.self] }

  /// The same, each with the type that says of when its copies are.
  static var tierTypes: [any GraphRecord.Type] {
    [
      Self.self, TierEntry<Self>.self, TierAnswer<Self>.self, TierEntry<TierAnswer<Self>>.self,
    ]
  }
}
