/// A table or view of the database.
package struct FoundTable {
  /// A column, as the database describes it.
  package struct Column {
    package let name: String
    package let isGenerated: Bool
    package let kind: ColumnKind
    package let isReadable: Bool
    /// Whether a row without a value for the column gets another default than NULL.
    package let hasDefault: Bool

    package init(
      name: String, isGenerated: Bool, kind: ColumnKind, isReadable: Bool = true,
      hasDefault: Bool = false
    ) {
      self.hasDefault = hasDefault
      self.name = name
      self.isGenerated = isGenerated
      self.kind = kind
      self.isReadable = isReadable
    }
  }

  package let name: String
  package let columns: [Column]
  /// Whether the database ignores case in names.
  let ignoresCase: Bool
  /// Whether it is a view, whose rows triggers translate into those of other tables.
  let isView: Bool
  /// Readable columns that the database does not list.
  private let hidden: [String]

  package init(
    _ name: String, columns: [Column], ignoresCase: Bool = false, isView: Bool = false,
    hidden: [String] = []
  ) {
    self.isView = isView
    self.name = name
    self.columns = columns
    self.ignoresCase = ignoresCase
    self.hidden = hidden
  }

  package var names: [String] { columns.map(\.name) }
  var readable: [String] { columns.filter(\.isReadable).map(\.name) }
  var writable: [String] { columns.filter { !$0.isGenerated }.map(\.name) }

  func column(_ name: String) -> Column? {
    columns.first { $0.name == name }
      ?? columns.first { ignoresCase && ColumnName.areEqual($0.name, name) }
  }

  func kind(of name: String) -> ColumnKind { column(name)?.kind ?? .any }

  /// Returns the name of a column as the database has it.
  func existing(_ name: String) throws(SQLMappingError) -> String {
    if let column = column(name) { return column.name }
    if hidden.contains(name) { return name }
    throw .noColumn(name, table: self.name)
  }
}
