#if PostgreSQL
  internal import KinshipSQL

  /// The values of a result, one row at a time.
  ///
  /// A value that cannot be represented, such as an infinite date, has no kind, only its bytes.
  final class PostgreSQLCells: SQLCells {
    let rows: Rows
    /// The current row; -1 before the first.
    private(set) var row: Int

    init(_ rows: Rows, row: Int = 0) {
      self.rows = rows
      self.row = row
    }

    convenience init(beforeFirstOf rows: Rows) { self.init(rows, row: -1) }

    /// Moves to the next row, and returns whether there is one.
    func advance() -> Bool {
      row += 1
      return row < rows.count
    }

    @inline(__always)
    private func cell<Value>(
      _ column: Int, _ read: (PostgreSQLType.Kind, UnsafeRawBufferPointer) -> Value?
    ) -> Value? {
      guard rows.columns.indices.contains(column), let bytes = rows.bytes(row, column) else {
        return nil
      }
      return read(rows.columns[column].kind, bytes)
    }

    func isNull(at position: Int) -> Bool { rows.bytes(row, position) == nil }

    func integer(at position: Int) -> Int64? { cell(position) { $0.integer(of: $1) } }

    func real(at position: Int) -> Double? { cell(position) { $0.real(of: $1) } }

    func text(at position: Int) -> String? { cell(position) { $0.text(of: $1) } }

    func oid(at position: Int) -> UInt32? { integer(at: position).flatMap { UInt32(exactly: $0) } }

    func value(at position: Int) -> SQLValue {
      cell(position) { $0.value(of: $1) ?? .blob(Array($1)) } ?? .null
    }

    func list(at position: Int, _ layout: RowLayout) -> (any ListSource)? {
      guard let values = try? rows.list(row, position) else { return nil }
      return ValueList(values: values, layout: layout, position: position)
    }

    func kind(at position: Int) -> String {
      guard rows.columns.indices.contains(position) else { return "nothing" }
      return isNull(at: position) ? "NULL" : rows.columns[position].name
    }
  }

  /// The ids of a list from an array.
  private struct ValueList: ListSource {
    let values: [SQLValue]
    let layout: RowLayout
    let position: Int
    var next = 0

    mutating func nextInteger() throws(SQLMappingError) -> Int64? {
      guard let value = try nextValue() else { return nil }
      guard case .integer(let integer) = value else { throw unsuitable }
      return integer
    }

    mutating func nextValue() throws(SQLMappingError) -> SQLValue? {
      guard next < values.count else { return nil }
      defer { next += 1 }
      return values[next]
    }
  }
#endif
