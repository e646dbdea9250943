#if PostgreSQL
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  internal import CPostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// An error that PostgreSQL reports, or an error of the connection to it.
  ///
  /// Errors in the mapping of rows are `SQLMappingError`s. No case ever holds a value of the
  /// database or of a record, nor a password, so you can log any error.
  public enum PostgreSQLError: Error, Hashable, Sendable {
    /// PostgreSQL rejected a statement.
    ///
    /// The case holds the code; PostgreSQL's message, if it contains no value; the part of the
    /// database that the error is about; and the statement, with parameters in place of values.
    case failed(state: SQLSTATE, message: String, subject: Subject = Subject(), sql: String?)
    /// There is no connection to the server, or it was lost.
    ///
    /// The case holds the code, if the server has sent one, and the reason.
    case connectionFailed(state: SQLSTATE?, message: String)
    /// The named operation did not finish in time.
    case timedOut(String)
    /// No answer to a commit arrived: it may or may not have succeeded.
    ///
    /// If the database logs changes, the store first looks for the commit in the log. It throws
    /// this error if the outcome cannot be found, and the cache reloads the records.
    case unknownOutcome
    /// The server, or a proxy in front of it, does not behave as PostgreSQL does; the text says
    /// how.
    case unexpectedAnswer(String)
    /// A column has a type that cannot be read.
    case unsupportedType(String, column: String)
    /// A value cannot be stored, for the given reason.
    case notStorable(String)
    /// A column holds a value of the right kind that cannot be converted to the expected type.
    case unsuitableValue(table: String, column: String, expected: String)
    /// The database does not log the changes of a table, as following the store requires.
    ///
    /// The case holds the reason. The store throws this error when it polls, if the triggers were
    /// dropped or disabled, and following caches lose contact. It treats everything as changed
    /// after triggers were enabled again, a column's type was altered, a partition was attached, or
    /// an older copy of the data was restored.
    case notTracked(table: String, reason: String)

    /// The part of a database that an error is about, if PostgreSQL reports it.
    public struct Subject: Hashable, Sendable {
      /// The schema of the table.
      public var schema: String?
      /// The table.
      public var table: String?
      /// The column of the table.
      public var column: String?
      /// The data type.
      public var type: String?
      /// The constraint or unique index.
      public var constraint: String?

      /// Describes the part of a database that an error is about.
      ///
      /// - Parameters:
      ///   - schema: The schema of the table.
      ///   - table: The table.
      ///   - column: The column of the table.
      ///   - type: The data type.
      ///   - constraint: The constraint.
      public init(
        schema: String? = nil, table: String? = nil, column: String? = nil, type: String? = nil,
        constraint: String? = nil
      ) {
        self.schema = schema
        self.table = table
        self.column = column
        self.type = type
        self.constraint = constraint
      }
    }
  }

  extension PostgreSQLError {
    /// The code, if the server has sent one.
    public var state: SQLSTATE? {
      switch self {
      case .failed(let state, _, _, _): state
      case .connectionFailed(let state, _): state
      default: nil
      }
    }

    /// Whether the transaction conflicts with a concurrent one, and may succeed if it is re-run.
    public var isSerializationFailure: Bool {
      state == .serializationFailure || state == .deadlock
    }

    /// Whether the row would duplicate a unique value.
    public var isUniqueViolation: Bool { state == .uniqueViolation }

    /// Whether a constraint of the schema was violated.
    public var isConstraint: Bool { state?.category == "23" }

    /// Whether there is no connection to the server, or it was lost.
    public var isConnectionLoss: Bool {
      if case .connectionFailed = self { true } else { state?.isConnectionLoss ?? false }
    }

    /// Whether a statement took too long, or waited for a lock too long.
    public var isTimeout: Bool {
      if case .timedOut = self {
        true
      } else {
        state == .queryCanceled || state == .lockNotAvailable
      }
    }
  }

  extension PostgreSQLError: CustomStringConvertible {
    /// A sentence that says what went wrong.
    public var description: String {
      switch self {
      case .failed(let state, let message, let subject, let sql):
        "PostgreSQL reports \(state): \(message)\(subject)\(sql.map(SQLText.place) ?? "")."
          + (state.advice.map { " \($0)" } ?? "")
      case .connectionFailed(let state, let message):
        "There is no connection to the server: \(message.asSentence)"
          + (state?.connectionAdvice.map { " \($0)" } ?? "")
      case .timedOut(let what):
        "The server took too long: \(what). Try again, or allow more time."
      case .unknownOutcome:
        "The connection was lost during a commit, which may have succeeded. Read the records again "
          + "before you repeat it."
      case .unexpectedAnswer(let how):
        "The server does not answer as PostgreSQL does: \(how). Check what is between it and you."
      case .unsupportedType(let type, let column):
        "The column “\(column)” has the type \(type), which cannot be read. Leave it out of the "
          + "mapping, or convert it in a view."
      case .notStorable(let reason):
        "The value cannot be stored: \(reason.asSentence)"
      case .unsuitableValue(let table, let column, let expected):
        "The column “\(column)”\(table.isEmpty ? "" : " of table “\(table)”") holds a value that "
          + "is not \(expected). Correct the value, or give the property another type."
      case .notTracked(let table, let reason):
        "Changes of table “\(table)” are not logged: \(reason). Run the SQL of `trackingSQL` to "
          + "log them."
      }
    }
  }

  extension PostgreSQLError.Subject: CustomStringConvertible {
    /// The part of the database, as a suffix for a message; empty if it is not known.
    public var description: String {
      let parts = [
        ("constraint", constraint), ("column", column), ("type", type), ("table", table),
        ("schema", schema),
      ]
      let known = parts.compactMap { part in part.1.map { "\(part.0) “\($0)”" } }
      return known.isEmpty ? "" : " (\(known.joined(separator: ", ")))"
    }
  }

  extension PostgreSQLError: LocalizedError {
    /// The same as `description`, for `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension PostgreSQLError {
    init(of result: OpaquePointer, sql: String?) {
      /// Returns a field by its letter in the protocol.
      func field(_ code: Character) -> String? {
        code.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }
          .map { String(cString: $0) }
      }
      guard let state = field("C").map({ SQLSTATE($0) }) else {
        // libpq itself reports such errors, for example that the connection is lost.
        self = .connectionFailed(
          state: nil, message: Self.sentence(String(cString: PQresultErrorMessage(result))))
        return
      }
      let said = field("M") ?? "without a message"
      let message = state.hasHarmlessMessage ? said : state.name ?? "a message with values"
      self =
        state.isConnectionLoss
        ? .connectionFailed(state: state, message: message)
        : .failed(
          state: state, message: message,
          subject: Subject(
            schema: field("s"), table: field("t"), column: field("c"), type: field("d"),
            constraint: field("n")), sql: sql)
    }

    /// Returns libpq's message about a connection, each of its lines as a sentence.
    static func sentence(_ message: String) -> String {
      message.split(whereSeparator: \.isNewline)
        .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ").asSentence }
        .joined(separator: " ")
    }
  }
#endif
