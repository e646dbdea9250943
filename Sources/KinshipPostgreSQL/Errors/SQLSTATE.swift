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

    /// The class of the code: its first two letters and digits.
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
