#if PostgreSQL
  /// The code of a PostgreSQL error: five letters and digits, of which the first two are its class.
  public struct SQLSTATE: RawRepresentable, Hashable, Sendable {
    /// The code, such as `23505`.
    public let rawValue: String

    /// Creates a code.
    ///
    /// - Parameter rawValue: The code, such as `23505`.
    public init(rawValue: String) { self.rawValue = rawValue }

    init(_ code: String) { rawValue = code }

    var category: Substring { rawValue.prefix(2) }

    static let featureNotSupported = Self("0A000")
    static let unknownStatement = Self("26000")
    static let failedTransaction = Self("25P02")
    static let serializationFailure = Self("40001")
    static let deadlock = Self("40P01")
    static let uniqueViolation = Self("23505")
    static let undefinedTable = Self("42P01")
    static let queryCanceled = Self("57014")
    static let completionUnknown = Self("40003")
    static let lockNotAvailable = Self("55P03")

    /// Whether the server ended or refused the connection, because it stops, starts or has crashed.
    var isConnectionLoss: Bool {
      category == "08" || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(rawValue)
    }

    /// Whether a message of the server contains no value.
    ///
    /// Messages about data contain values. Messages from functions of the database may contain them
    /// too, with any code that the function chooses.
    var hasHarmlessMessage: Bool { Self.harmless.contains(category) }

    private static let harmless: Set<Substring> = [
      "00", "01", "02", "03", "08", "09", "0A", "0B", "0F", "0L", "0P", "0Z", "20", "21", "24",
      "25", "26", "27", "28", "2B", "2D", "2F", "34", "38", "39", "3B", "3D", "3F", "40", "42",
      "44", "53", "54", "55", "57", "58", "72", "F0", "HV", "XX",
    ]

    var advice: String? {
      switch rawValue {
      case "42P01": "Create the table, or correct the name."
      case "42703": "Add the column, or correct the name."
      case "42501": "Grant the user the privilege."
      case "57014": "Try again, or allow more time in `statementTimeout`."
      case "55P03": "Try again, or allow more time in `lockTimeout`."
      case "40001", "40P01": "Run the transaction again."
      case "53100": "Free some space on the server."
      default: category == "23" ? "Change the record, or the constraint." : nil
      }
    }

    /// The reason why the server refuses a connection, for the most frequent ones; `database` and
    /// `user` are the names that were given.
    func refusal(database: String, user: String) -> String? {
      switch rawValue {
      case "3D000": "it has no database “\(database)” (3D000)"
      case "28P01": "it rejects the password of the user “\(user)” (28P01)"
      case "28000": "it does not let the user “\(user)” use the database “\(database)” (28000)"
      case "53300": "it has no connection left (53300)"
      case "57P03": "it is starting or stopping (57P03)"
      default: nil
      }
    }

    var connectionAdvice: String? {
      switch rawValue {
      case "3D000": "Create the database, or correct `dbname`."
      case "28P01": "Correct the password in PGPASSWORD or ~/.pgpass."
      case "28000": "Check the user and the server's pg_hba.conf."
      case "53300": "Use fewer connections, or raise the server's max_connections."
      case "57P01", "57P02", "57P03": "Try again."
      default: nil
      }
    }

    /// The condition's name in PostgreSQL's manual, for frequent ones reported without the server's
    /// message.
    var name: String? { Self.names[rawValue] }

    private static let names: [String: String] = [
      "22001": "string_data_right_truncation", "22003": "numeric_value_out_of_range",
      "22007": "invalid_datetime_format", "22008": "datetime_field_overflow",
      "22012": "division_by_zero", "22021": "character_not_in_repertoire",
      "22023": "invalid_parameter_value", "22P02": "invalid_text_representation",
      "22P03": "invalid_binary_representation", "22P05": "untranslatable_character",
      "23000": "integrity_constraint_violation", "23001": "restrict_violation",
      "23502": "not_null_violation", "23503": "foreign_key_violation",
      "23505": "unique_violation", "23514": "check_violation", "23P01": "exclusion_violation",
      "P0001": "raise_exception",
    ]
  }

  extension SQLSTATE: CustomStringConvertible {
    /// The code.
    public var description: String { rawValue }
  }
#endif
