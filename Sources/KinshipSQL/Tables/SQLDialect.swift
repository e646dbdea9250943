/// The differences between databases in SQL, in which a parameter is a question mark.
package protocol SQLDialect: Sendable {
  var store: String { get }
  /// The kind of columns about which nothing is known.
  var kindOfOthers: ColumnKind { get }
  /// Whether NULL sorts first in ascending order by default.
  var sortsNullFirst: Bool { get }
  /// The value to bind as the limit if there is none.
  var noLimit: SQLValue { get }

  /// Returns a quoted column whose texts sort by their bytes.
  func byBytes(_ column: String, _ kind: ColumnKind) -> String

  /// Returns a quoted column whose texts are equal only if their bytes are.
  func equalByBytes(_ column: String, _ kind: ColumnKind) -> String

  /// Returns a parameter to compare a value with a column; `nil` if they cannot be compared.
  func parameter(_ value: SQLValue, with kind: ColumnKind) -> String?

  /// Returns the operand of `IN` for many values, which come as a JSON array in one parameter.
  func list(ofTexts: Bool) -> String

  /// Returns a quoted text column of any type as a plain text.
  func asText(_ column: String) -> String

  /// Returns a condition for texts with non-ASCII characters or NUL.
  func isBeyondASCII(_ column: String) -> String

  /// Returns the position, from 1 on, of a parameter's text in a column; 0 if it is absent.
  func place(in column: String, ignoringCase: Bool) -> String

  /// Returns the list of a statement's values `x` in one column; plain ids are integers.
  func array(of statement: String, isPlain: Bool) -> String

  /// A condition that all values `value` of a group are of one kind.
  var isOneKind: String { get }
}
