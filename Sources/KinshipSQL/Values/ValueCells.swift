/// A row of given values, such as the columns of an id.
package final class ValueCells: SQLCells {
  private let values: [SQLValue]

  package init(_ values: [SQLValue]) { self.values = values }

  package func advance() -> Bool { false }

  package func isNull(at position: Int) -> Bool { value(at: position) == .null }

  package func integer(at position: Int) -> Int64? {
    if case .integer(let integer) = value(at: position) { integer } else { nil }
  }

  package func real(at position: Int) -> Double? {
    switch value(at: position) {
    case .real(let real): real
    case .integer(let integer): Double(exactly: integer)
    default: nil
    }
  }

  package func text(at position: Int) -> String? {
    if case .text(let text) = value(at: position) { text } else { nil }
  }

  package func value(at position: Int) -> SQLValue {
    values.indices.contains(position) ? values[position] : .null
  }

  package func list(at position: Int, _ layout: RowLayout) -> (any ListSource)? { nil }

  package func kind(at position: Int) -> String { value(at: position).kind.rawValue }
}
