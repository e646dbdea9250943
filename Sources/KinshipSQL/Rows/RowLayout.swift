internal import Kinship

/// The positions of a row's values: first its columns, then its lists.
@usableFromInline
package final class RowLayout: Sendable {
  package let table: String
  package let columns: [String]
  package let kinds: [ColumnKind]
  package let isWritable: [Bool]
  /// The positions of columns with a default whose value is not known here.
  package let defaulted: [Int]
  package let lists: [ListLayout]
  package let idPositions: [Int]
  /// The positions by the name of a property or of a coding key.
  package let positions: [String: Int]
  /// The positions of an id's parts by name, for an id of several columns.
  package let idParts: [String: Int]
  @usableFromInline package let formats: SQLFormats

  package init(
    table: String, columns: [String], kinds: [ColumnKind], isWritable: [Bool],
    defaulted: [Int] = [], lists: [ListLayout],
    idPositions: [Int], positions: [String: Int], idParts: [String: Int], formats: SQLFormats
  ) {
    self.table = table
    self.columns = columns
    self.kinds = kinds
    self.isWritable = isWritable
    self.defaulted = defaulted
    self.lists = lists
    self.idPositions = idPositions
    self.positions = positions
    self.idParts = idParts
    self.formats = formats
  }

  /// Returns the layout of rows that have only the columns of the id.
  package func ofIDs(in columns: [String], parts: [String?]) -> RowLayout {
    let parts = zip(parts, columns.indices).compactMap { part, position in
      part.map { ($0, position) }
    }
    return RowLayout(
      table: table, columns: columns, kinds: idPositions.map { kinds[$0] },
      isWritable: columns.map { _ in false }, lists: [],
      idPositions: Array(columns.indices), positions: ["id": 0],
      idParts: Dictionary(parts) { _, last in last }, formats: formats)
  }

  /// Whether rows may hold other values than those written, because of computed columns or rounded
  /// dates.
  package var storesOtherwise: Bool {
    formats.dates != .secondsSince2001 || isWritable.contains(false)
  }

  package var width: Int { columns.count + lists.count }

  /// Returns the name of the column or list at a position.
  package func name(at position: Int) -> String {
    if columns.indices.contains(position) { return columns[position] }
    let list = position - columns.count
    return lists.indices.contains(list) ? lists[list].name : "column \(position)"
  }

  /// Returns the position for the name of a coding key or a property.
  ///
  /// An exact match wins; otherwise the case of ASCII letters does not matter.
  package func position(of name: String) -> Int? {
    if let position = positions[name] { return position }
    return columns.firstIndex { ColumnName.areEqual($0, name) }
  }

  package func unsuitable(_ expected: String, at position: Int) -> SQLMappingError {
    .unsuitableValue(table: table, column: name(at: position), expected: expected)
  }
}

/// The properties of a list that reading it requires.
package struct ListLayout: Sendable {
  package let name: String
  /// The kinds of the owner's, the target's and, if there is one, the order's column.
  package let kinds: [ColumnKind]
  /// The kind of the column with the targets' ids.
  package var kind: ColumnKind { kinds[1] }
  package let decode: @Sendable (any ListSource) throws -> any Sendable
}

/// Comparison of names, ignoring the case of ASCII letters.
package enum ColumnName {
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

/// The kind of values in a column, which decides how statements use them.
package enum ColumnKind: Sendable, Hashable {
  /// Any value: a column without a type.
  case any
  case integer
  case real
  case text
  case boolean
  case uuid
  /// Numbers: SQLite converts texts that look like numbers and, if the column is real, integers to
  /// floating-point numbers.
  case number(isReal: Bool)
  /// A moment in time, in the database's own type.
  case time
  /// A type that is read and written, but not compared.
  case other
}
