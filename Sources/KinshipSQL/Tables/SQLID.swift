public import Kinship

/// The column or columns that hold the id of a table's records.
///
/// Ids are compared as in Swift. If only the database treats a row's id as equal, by a collation
/// such as `NOCASE` or by `citext`, the row is not the requested record.
///
/// Many Unicode characters have several spellings, which are equal in Swift and different bytes in
/// the database. If an id with such a character is not found, another statement reads its column
/// and searches all texts that are not ASCII. The same holds for refs of an inverse, and for parts
/// of an id of several columns. If two rows have ids that differ only in spelling, a query fails
/// for their record alone, with a `PartialAnswer`. A unique index compares bytes, so the database
/// does not reject the second row.
public struct SQLID<R: GraphRecord>: Sendable, ExpressibleByStringLiteral {
  /// Each part's property and column; the property is `nil` if the id has one column.
  package var parts: [(property: String?, column: String)]
  /// The columns in the order in which ids sort; `nil` if the database sorts them differently.
  package var order: [String]?

  /// Uses one column as the id.
  ///
  /// - Parameter value: The name of the column.
  public init(stringLiteral value: String) { self = .column(value) }

  /// Uses one column as the id.
  ///
  /// - Parameter name: The name of the column, which may be `rowid`.
  /// - Returns: The id.
  public static func column(_ name: String) -> SQLID {
    SQLID(
      parts: [(nil, name)], order: IDOrder.isStoredAlone(R.ID.self) ? [name] : nil)
  }

  private init(parts: [(property: String?, column: String)], order: [String]?) {
    self.parts = parts
    self.order = order
  }

  func named(_ columns: [String]) -> SQLID {
    var id = self
    let names = Dictionary(zip(parts.map(\.column), columns)) { first, _ in first }
    id.parts = zip(parts, columns).map { ($0.property, $1) }
    id.order = order?.map { names[$0] ?? $0 }
    return id
  }

  /// Uses several columns as the id, one for each property of a `Codable` struct.
  ///
  /// ```swift
  /// struct PlaylistEntry: GraphRecord, Codable {
  ///   struct ID: Hashable, Codable {
  ///     let playlist: Int
  ///     let track: Int
  ///   }
  ///   let id: ID
  /// }
  /// let entries = SQLTable<PlaylistEntry>(
  ///   "PlaylistTrack", id: .columns((\.playlist, "PlaylistId"), (\.track, "TrackId")))
  /// ```
  ///
  /// - Parameter parts: The properties and their columns.
  /// - Returns: The id.
  public static func columns(
    _ parts: (any PartialKeyPath<R.ID> & Sendable, String)...
  ) -> SQLID {
    var ordered: [(offset: Int, column: String)]? = []
    for (path, column) in parts {
      let part = type(of: path as AnyKeyPath).valueType
      if let offset = MemoryLayout<R.ID>.offset(of: path), IDOrder.isStoredAlone(part) {
        ordered?.append((offset, column))
      } else {
        ordered = nil
      }
    }
    return SQLID(
      parts: parts.map { (PropertyName.of($0.0), $0.1) },
      // Ids sort by their properties in the order of declaration, which is their order in memory.
      order: ordered?.sorted { $0.offset < $1.offset }.map(\.column))
  }
}
