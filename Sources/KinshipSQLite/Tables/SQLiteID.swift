#if SQLite
  public import Kinship

  /// Which column, or columns, hold the id of a table's records.
  public struct SQLiteID<R: GraphRecord>: Sendable, ExpressibleByStringLiteral {
    /// The name of a part, `nil` where there is but one, and its column.
    let parts: [(property: String?, column: String)]

    /// A column that holds the id.
    ///
    /// - Parameter value: The name of the column.
    public init(stringLiteral value: String) { self = .column(value) }

    /// A column that holds the id.
    ///
    /// - Parameter name: The name of the column; `rowid` will do.
    /// - Returns: The id.
    public static func column(_ name: String) -> SQLiteID { SQLiteID(parts: [(nil, name)]) }

    private init(parts: [(property: String?, column: String)]) { self.parts = parts }

    /// Columns that hold the properties of the id, a `Codable` struct.
    ///
    /// ```swift
    /// struct PlaylistEntry: GraphRecord, Codable {
    ///   struct ID: Hashable, Codable {
    ///     let playlist: Int
    ///     let track: Int
    ///   }
    ///   let id: ID
    /// }
    /// let entries = SQLiteTable<PlaylistEntry>(
    ///   "PlaylistTrack", id: .columns((\.playlist, "PlaylistId"), (\.track, "TrackId")))
    /// ```
    ///
    /// - Parameter parts: The properties and their columns.
    /// - Returns: The id.
    public static func columns(
      _ parts: (any PartialKeyPath<R.ID> & Sendable, String)...
    ) -> SQLiteID {
      SQLiteID(parts: parts.map { (PropertyName.of($0.0), $0.1) })
    }
  }
#endif
