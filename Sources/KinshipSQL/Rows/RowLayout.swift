internal import Kinship

/// Where the values of a row are: its columns, and after them its lists.
@usableFromInline
package final class RowLayout: Sendable {
  package let table: String
  package let columns: [String]
  package let kinds: [ColumnKind]
  /// Of each column whether it can be written.
  package let isWritable: [Bool]
  /// The positions of columns in which a row gets a default that does not say their value.
  package let defaulted: [Int]
  package let lists: [ListLayout]
  package let idPositions: [Int]
  /// By the name of a property or of a coding key.
  package let positions: [String: Int]
  /// Where an id of several columns has its parts, by their names.
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

  /// The layout of rows that have no more than the columns of the id, and its parts in them.
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

  /// Whether rows may hold other values than were written: some are computed, or dates are rounded.
  package var storesOtherwise: Bool {
    formats.dates != .secondsSince2001 || isWritable.contains(false)
  }

  /// The name of what is at a position.
  package func name(at position: Int) -> String {
    if columns.indices.contains(position) { return columns[position] }
    let list = position - columns.count
    return lists.indices.contains(list) ? lists[list].name : "column \(position)"
  }

  /// The position of what a coding key or a property names: as it is written, or else without
  /// regard to the case of ASCII letters.
  package func position(of name: String) -> Int? {
    if let position = positions[name] { return position }
    return columns.firstIndex { ColumnName.areEqual($0, name) }
  }

  package func unsuitable(_ expected: String, at position: Int) -> SQLMappingError {
    .unsuitableValue(table: table, column: name(at: position), expected: expected)
  }
}

/// What is needed to read a list.
package struct ListLayout: Sendable {
  package let name: String
  /// Of the columns of the owners, of the targets and of the order, if there is one.
  package let kinds: [ColumnKind]
  /// Of the column of the targets' ids.
  package var kind: ColumnKind { kinds[1] }
  package let decode: @Sendable (any ListSource) throws -> any Sendable
}

/// Names compared without regard to the case of ASCII letters.
package enum ColumnName {
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
