public import Kinship

/// The mapping of a record type to a table.
///
/// ```swift
/// let albums = SQLTable<Album>(
///   "Album", id: "AlbumId", columns: [.column(\.artist, "ArtistId")],
///   lists: [.toMany(\.tracks, table: "Track", foreignKey: "AlbumId", key: "TrackId")])
/// ```
///
/// Declare a table where the compiler knows the record type, not in generic code: the declaration
/// specialises the code that reads and writes the records.
public struct SQLTable<R: GraphRecord>: Sendable {
  /// The name of the table.
  public let name: String
  package var id: SQLID<R>
  package var columns: [SQLColumn<R>]
  package let lists: [SQLList<R>]
  package var formats: SQLFormats
  /// The columns that a translator names; `nil` to use all columns of the table.
  package let named: [String]?
  /// Reads all rows of a statement that are records; the integer is their expected number.
  package let read: @Sendable (borrowing SQLRow, Int) throws -> PartialAnswer<R>
  package let makeWriter: @Sendable (RowLayout) -> (R, inout SQLValues) throws -> Void
  package let insert: @Sendable ([R], RowWriter, RowLayout) throws -> Void
  /// Updates the rows of known records, and returns how many are not known.
  package let update: @Sendable ([UpdatedRecord<R>], RowWriter, RowLayout) throws -> Int
  package let idValue: @Sendable (R.ID, SQLFormats) throws -> SQLValue
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

  /// Creates a mapping, with the code that writes specialised for the record type.
  @inlinable
  @inline(__always)
  package init(
    _ name: String, id: SQLID<R>, columns: [SQLColumn<R>], lists: [SQLList<R>],
    formats: SQLFormats, named: [String]?,
    read: @escaping @Sendable (borrowing SQLRow, Int) throws -> PartialAnswer<R>,
    makeWriter: @escaping @Sendable (RowLayout) -> (R, inout SQLValues) throws -> Void
  ) {
    self.init(
      name, id: id, columns: columns, lists: lists, formats: formats, named: named, read: read,
      makeWriter: makeWriter,
      insert: { records, rows, layout in try rows.insert(records, makeWriter(layout)) },
      update: { updates, rows, layout in
        let formats = layout.formats
        return try rows.update(updates, makeWriter(layout)) {
          try IDCoding.value(of: $0, formats)
        }
      },
      idValue: { id, formats in try IDCoding.value(of: id, formats) },
      idValues: { ids, formats in try IDCoding.values(of: ids, formats) })
  }
}

extension SQLTable where R: Codable {
  /// Maps a record type to a table by `Codable`.
  ///
  /// A column has the name of the property's coding key, regardless of case, unless `columns` says
  /// otherwise. A property without a column is an error. A column without a property is left alone.
  ///
  /// A `Ref` is stored as its bare id, `Data` as a blob, a URL as its text, and a value of several
  /// parts as JSON in a text.
  ///
  /// A column may convert a value. SQLite converts a text to a number in a column declared as
  /// NUMERIC, DATE or STRING, a number to a text in a TEXT column, and an integer to a
  /// floating-point number in a REAL column. PostgreSQL rounds a `Double` in a `real`. The store
  /// refuses to write a record with a value, or an id in a list, that its column would change, and
  /// names the column.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - id: The column, or columns, of the id.
  ///   - columns: The columns whose names differ from those of their properties.
  ///   - lists: The to-many properties that are stored in the rows of other tables.
  ///   - formats: The formats of dates and UUIDs.
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
      })
  }
}

extension SQLTable {
  /// Maps a record type to a table by a translator.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - id: The column, or columns, of the id.
  ///   - translator: The translator between rows and records.
  ///   - columns: The columns whose names differ from those of their properties. They are needed to
  ///     sort, to find referrers, and to write only the changed columns.
  ///   - lists: The to-many properties that are stored in the rows of other tables. The translator
  ///     reads them with ``SQLRow/list(_:of:)``.
  ///   - formats: The format of UUIDs in ids and lists.
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
      makeWriter: { _ in { record, values in try translator.bind(record, to: &values) } })
  }
}

/// The column that holds a property, if their names differ.
public struct SQLColumn<R: GraphRecord>: Sendable {
  /// The property.
  public let property: any PartialKeyPath<R> & Sendable
  /// The name of the column.
  public internal(set) var name: String

  /// Maps a property to a column.
  ///
  /// The property may be computed, such as a ref made from a part of the id. In that case the
  /// column serves only for sorting and for finding referrers.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - name: The name of the column.
  /// - Returns: The column.
  public static func column<Value>(
    _ property: any KeyPath<R, Value> & Sendable, _ name: String
  ) -> SQLColumn {
    SQLColumn(property: property, name: name)
  }

  package var propertyName: String { PropertyName.of(property) }
}
