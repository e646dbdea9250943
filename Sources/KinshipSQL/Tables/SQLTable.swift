public import Kinship

/// How records of a type lie in a table.
///
/// ```swift
/// let albums = SQLTable<Album>(
///   "Album", id: "AlbumId", columns: [.column(\.artist, "ArtistId")],
///   lists: [.toMany(\.tracks, table: "Track", foreignKey: "AlbumId", key: "TrackId")])
/// ```
///
/// The code that reads and writes is made here, where the compiler knows the type of the records:
/// declare tables where that is known, not in generic code.
public struct SQLTable<R: GraphRecord>: Sendable {
  /// The name of the table.
  public let name: String
  package var id: SQLID<R>
  package var columns: [SQLColumn<R>]
  package let lists: [SQLList<R>]
  package var formats: SQLFormats
  /// The columns that a translator names; `nil` for all that the table has.
  package let named: [String]?
  /// Reads all rows of a statement that are records: of so many, as far as that is known.
  package let read: @Sendable (borrowing SQLRow, Int) throws -> PartialAnswer<R>
  /// Makes what gives the values of records.
  package let makeWriter: @Sendable (RowLayout) -> (R, inout SQLValues) throws -> Void
  /// Inserts rows.
  package let insert: @Sendable ([R], RowWriter, RowLayout) throws -> Void
  /// Updates the rows of records that are known, and says how many are not.
  package let update: @Sendable ([UpdatedRecord<R>], RowWriter, RowLayout) throws -> Int
  /// The value of an id of one column.
  package let idValue: @Sendable (R.ID, SQLFormats) throws -> SQLValue
  /// The values of many such ids.
  package let idValues: @Sendable (ArraySlice<R.ID>, SQLFormats) throws -> [SQLValue]

  @usableFromInline
  package init(
    _ name: String, id: SQLID<R>, columns: [SQLColumn<R>], lists: [SQLList<R>],
    formats: SQLFormats, named: [String]?,
    read: @escaping @Sendable (borrowing SQLRow, Int) throws -> PartialAnswer<R>,
    makeWriter: @escaping @Sendable (RowLayout) -> (R, inout SQLValues) throws -> Void,
    insert: @escaping @Sendable ([R], RowWriter, RowLayout) throws -> Void,
    update: @escaping @Sendable ([UpdatedRecord<R>], RowWriter, RowLayout) throws -> Int,
    idValue: @escaping @Sendable (R.ID, SQLFormats) throws -> SQLValue,
    idValues: @escaping @Sendable (ArraySlice<R.ID>, SQLFormats) throws -> [SQLValue]
  ) {
    self.name = name
    self.id = id
    self.columns = columns
    self.lists = lists
    self.formats = formats
    self.named = named
    self.read = read
    self.makeWriter = makeWriter
    self.insert = insert
    self.update = update
    self.idValue = idValue
    self.idValues = idValues
  }
}

extension SQLTable where R: Codable {
  /// A table whose rows are made into records by `Codable`, and back.
  ///
  /// A column is named like the property's coding key, without regard to case, unless `columns`
  /// says otherwise. A property without a column is an error; a column without a property is left
  /// alone. A `Ref` is its bare id, `Data` a blob, a URL its text, a value of several parts JSON
  /// in a text.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - id: The column, or columns, of the id.
  ///   - columns: The columns that are not named like their properties.
  ///   - lists: The to-many properties that lie in the rows of other tables.
  ///   - formats: How dates and UUIDs are stored.
  @inlinable
  public init(
    _ name: String, id: SQLID<R> = "id", columns: [SQLColumn<R>] = [],
    lists: [SQLList<R>] = [], formats: SQLFormats = SQLFormats()
  ) {
    self.init(
      name, id: id, columns: columns, lists: lists, formats: formats, named: nil,
      read: { row, count in
        let decoder = RowDecoder(row)
        return try row.records(expecting: count) { _ in try R(from: decoder) }
      },
      makeWriter: { layout in
        let encoder = RowEncoder(layout)
        return { record, values in try encoder.encode(record, to: &values) }
      },
      insert: { records, rows, layout in
        let encoder = RowEncoder(layout)
        try rows.insert(records) { try encoder.encode($0, to: &$1) }
      },
      update: { updates, rows, layout in
        let (encoder, formats) = (RowEncoder(layout), layout.formats)
        return try rows.update(updates) {
          try encoder.encode($0, to: &$1)
        } _: {
          try IDCoding.value(of: $0, formats)
        }
      },
      idValue: { id, formats in try IDCoding.value(of: id, formats) },
      idValues: { ids, formats in try IDCoding.values(of: ids, formats) })
  }
}

extension SQLTable {
  /// A table whose rows are made into records by a translator, and back.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - id: The column, or columns, of the id.
  ///   - translator: What makes rows into records, and back.
  ///   - columns: The columns that are not named like their properties: to sort by, to find
  ///     referrers, and to write no more than has changed.
  ///   - lists: The to-many properties that lie in the rows of other tables. The translator reads
  ///     them with ``SQLRow/list(_:of:)``.
  ///   - formats: How UUIDs are stored in ids and lists.
  @inlinable
  public init<Translator: RowTranslator>(
    _ name: String, id: SQLID<R> = "id", translator: Translator,
    columns: [SQLColumn<R>] = [], lists: [SQLList<R>] = [],
    formats: SQLFormats = SQLFormats()
  ) where Translator.R == R {
    self.init(
      name, id: id, columns: columns, lists: lists, formats: formats,
      named: translator.columns,
      read: { row, count in
        try row.records(expecting: count) { row in try translator.record(from: row) }
      },
      makeWriter: { _ in { record, values in try translator.bind(record, to: &values) } },
      insert: { records, rows, _ in
        try rows.insert(records) { try translator.bind($0, to: &$1) }
      },
      update: { updates, rows, layout in
        let formats = layout.formats
        return try rows.update(updates) {
          try translator.bind($0, to: &$1)
        } _: {
          try IDCoding.value(of: $0, formats)
        }
      },
      idValue: { id, formats in try IDCoding.value(of: id, formats) },
      idValues: { ids, formats in try IDCoding.values(of: ids, formats) })
  }
}
