/// What databases say in different ways.
///
/// A parameter is a question mark in all statements that are made here.
package protocol SQLDialect: Sendable {
  /// The name of the store, for errors.
  var store: String { get }
  /// The kind of columns of which nothing is known.
  var kindOfOthers: ColumnKind { get }
  /// Whether NULL comes first in ascending order where nothing else is said.
  var sortsNullFirst: Bool { get }
  /// A query's limit and offset as a clause.
  var slice: String { get }
  /// What is bound there where there is no limit.
  var noLimit: SQLValue { get }

  /// A quoted column, so that texts in it are sorted by their bytes.
  func byBytes(_ column: String, _ kind: ColumnKind) -> String

  /// A quoted column, so that texts in it are equal only where their bytes are.
  func equalByBytes(_ column: String, _ kind: ColumnKind) -> String

  /// A parameter for a value that is compared with a column; `nil` if they cannot be compared.
  func parameter(_ value: SQLValue, with kind: ColumnKind) -> String?

  /// What stands after `IN` for more values than there may be parameters; they come as a JSON array
  /// in one parameter.
  func list(ofTexts: Bool) -> String

  /// A quoted column that holds texts of whatever type, as a plain text.
  func asText(_ column: String) -> String

  /// Whether a text has characters that are not ASCII, or NUL.
  func isBeyondASCII(_ column: String) -> String

  /// Where a text that a parameter holds is in another, from 1 on; 0 if it is not there.
  func place(in column: String, ignoringCase: Bool) -> String

  /// The list of a statement's values `x`, in one column: of plain ids, integers, or of others.
  func array(of statement: String, isPlain: Bool) -> String

  /// Whether all values `value` of a group are of one kind.
  var isOneKind: String { get }
}

/// What a column can hold, as far as statements must know.
package enum ColumnKind: Sendable, Hashable {
  /// Whatever is stored: columns without a type.
  case any
  case integer
  case real
  case text
  case boolean
  case uuid
  /// What makes numbers of texts that look like one, and of integers floating-point numbers if it
  /// is real: columns of SQLite.
  case number(isReal: Bool)
  /// A moment, stored as such.
  case time
  /// What is read and written, but not compared.
  case other
}
