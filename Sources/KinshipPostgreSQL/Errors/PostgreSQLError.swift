#if PostgreSQL
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  /// What PostgreSQL reports, or the way between it and the program.
  ///
  /// What is wrong with the mapping of rows is a `SQLMappingError`.
  ///
  /// No case ever holds a value of the database or of a record, nor a password: an error can be
  /// logged.
  public enum PostgreSQLError: Error, Hashable, Sendable {
    /// PostgreSQL refused: the code; its own words, where they hold no value; what of the database
    /// it is about; and the statement, with parameters in place of values.
    case failed(state: SQLSTATE, message: String, subject: Subject = Subject(), sql: String?)
    /// There is no connection to the server, or no longer: the code, if the server has given one,
    /// and why.
    case connectionFailed(state: SQLSTATE?, message: String)
    /// Something was not done in the time that there was for it: what.
    case timedOut(String)
    /// The answer to a commit did not come: it was made, or it was not.
    case unknownOutcome
    /// The server, or what lies before it, does not behave as PostgreSQL does: how.
    case unexpectedAnswer(String)
    /// A column is of a type that cannot be read.
    case unsupportedType(String, column: String)
    /// A value cannot be stored: why.
    case notStorable(String)
    /// A column holds a value of the right kind that makes no sense as what was asked for.
    case unsuitableValue(table: String, column: String, expected: String)
    /// The database does not log what changes in a table, as a store that is shared needs it: why.
    case notTracked(table: String, reason: String)

    /// What of a database an error is about, as far as PostgreSQL says it.
    public struct Subject: Hashable, Sendable {
      /// The schema of the table.
      public var schema: String?
      /// The table.
      public var table: String?
      /// The column of the table.
      public var column: String?
      /// The data type.
      public var type: String?
      /// The constraint, which may be a unique index.
      public var constraint: String?

      /// Names what an error is about.
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
    /// The code, where the server has given one.
    public var state: SQLSTATE? {
      switch self {
      case .failed(let state, _, _, _): state
      case .connectionFailed(let state, _): state
      default: nil
      }
    }

    /// Whether the transaction did not go together with another one, and may succeed when it is
    /// done again.
    public var isSerializationFailure: Bool {
      state == .serializationFailure || state == .deadlock
    }

    /// Whether a value that is to be unique is there already.
    public var isUniqueViolation: Bool { state == .uniqueViolation }

    /// Whether a constraint of the schema was violated.
    public var isConstraint: Bool { state?.category == "23" }

    /// Whether that constraint was a foreign key.
    var isOfForeignKey: Bool { state == .foreignKeyViolation }

    /// Whether there is no connection to the server, or no longer.
    public var isConnectionLoss: Bool {
      if case .connectionFailed = self { true } else { state?.isConnectionLoss ?? false }
    }

    /// Whether a statement took longer than it may, or waited for a lock for longer.
    public var isTimeout: Bool {
      if case .timedOut = self {
        true
      } else {
        state == .queryCanceled || state == .lockNotAvailable
      }
    }
  }

  extension PostgreSQLError: CustomStringConvertible {
    /// What went wrong, in a sentence.
    public var description: String {
      switch self {
      case .failed(let state, let message, let subject, let sql):
        "\(state): \(message)\(subject)" + (sql.map { ", in “\($0.prefix(400))”" } ?? "")
      case .connectionFailed(let state, let message):
        "There is no connection to the server: "
          + [state?.rawValue, message].compactMap { $0 }.joined(separator: ": ")
      case .timedOut(let what):
        "It took too long: \(what)."
      case .unknownOutcome:
        "The answer to a commit did not come: it was made, or it was not."
      case .unexpectedAnswer(let how):
        "The server does not answer as PostgreSQL does: \(how)."
      case .unsupportedType(let type, let column):
        "The column “\(column)” is of type \(type), which cannot be read."
      case .notStorable(let reason):
        "It cannot be stored: \(reason)."
      case .unsuitableValue(let table, let column, let expected):
        "“\(table)”.“\(column)” holds what is not \(expected)."
      case .notTracked(let table, let reason):
        "What changes in table “\(table)” is not logged: \(reason)."
      }
    }
  }

  extension PostgreSQLError.Subject: CustomStringConvertible {
    /// What an error is about, to be put after its message; empty where nothing is known.
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
    /// The same as its description: what `localizedDescription` says.
    public var errorDescription: String? { description }
  }
#endif
