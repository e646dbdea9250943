public import Kinship

/// The age entry that a ``TieredStore`` writes with each copy in its near store.
///
/// It is written and deleted together with the copy, so no copy exists without one.
public struct TierEntry<R: GraphRecord>: GraphRecord {
  /// The id of the copy.
  public let id: R.ID
  /// When the far store had the record in this state: microseconds since 1970.
  public var asOf: Int
  /// The last recorded use of the copy: microseconds since 1970.
  public var used: Int
  /// The size of the copy in bytes.
  public var bytes: Int

  /// The name of the entry type, derived from the record type.
  public static var recordName: String { "TierEntry<\(R.recordName)>" }
}

extension TierEntry: Codable where R.ID: Codable {}

/// A query result that a ``TieredStore`` stores in its near store.
public struct TierAnswer<R: GraphRecord>: GraphRecord {
  /// A textual form of the query.
  public let id: String
  /// The ids of the records, in order.
  ///
  /// Records written since come last.
  public var ids: [R.ID]

  /// The name of the result type, derived from the record type.
  public static var recordName: String { "TierAnswer<\(R.recordName)>" }
}

extension TierAnswer: Codable where R.ID: Codable {}

extension GraphRecord {
  /// The types of the copies for this type: its records, and the query results.
  static var keptTypes: [any GraphRecord.Type] { [Self.self, TierAnswer<Self>.self] }

  /// The same types, each with the type of its age entries.
  static var tierTypes: [any GraphRecord.Type] {
    [
      Self.self, TierEntry<Self>.self, TierAnswer<Self>.self, TierEntry<TierAnswer<Self>>.self,
    ]
  }
}
