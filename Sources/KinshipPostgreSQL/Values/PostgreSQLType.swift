#if PostgreSQL
  /// A data type of a database.
  struct PostgreSQLType: Hashable, Sendable {
    /// Its number, the OID.
    let number: UInt32
    /// Its name, as SQL has it.
    let name: String
    let kind: Kind
    /// The number of the type of arrays of it; 0 if there is none.
    let array: UInt32

    /// In which form its values are sent.
    indirect enum Kind: Hashable, Sendable {
      case bool
      case int2
      case int4
      case int8
      case oid
      case float4
      case float8
      case numeric
      /// Any text, and what is sent as one: a name, a label of an enumeration, JSON.
      case text
      /// A text that is filled up with spaces, which do not count: `char(n)`.
      case padded
      /// One byte that is shown as a character: `"char"`.
      case char
      case uuid
      case bytea
      /// JSON with a byte of its version.
      case jsonb
      /// With a time zone or without.
      case timestamp
      case date
      case time
      case array(of: Kind)
      /// What cannot be read: ranges, rows, those of extensions.
      case other
    }

    /// Whether values of it can be read.
    var isReadable: Bool {
      switch kind {
      case .other: false
      case .array(let element): element != .other
      default: true
      }
    }
  }

  extension PostgreSQLType.Kind {
    /// Whether a value that was stored is read again as it was: others are rounded.
    var isExact: Bool {
      switch self {
      // JSON is put in order, which a text shows.
      case .float4, .numeric, .char, .timestamp, .date, .time, .jsonb: false
      case .array(let element): element.isExact
      default: true
      }
    }

    /// The kind of a type by the function of the server that receives its values: types with the
    /// same one are sent in the same form, whatever they are called.
    init(receivedBy function: String) {
      self = Self.byFunction[function] ?? .other
    }

    private static let byFunction: [String: Self] = [
      "boolrecv": .bool, "int2recv": .int2, "int4recv": .int4, "int8recv": .int8,
      "oidrecv": .oid, "float4recv": .float4, "float8recv": .float8, "numeric_recv": .numeric,
      "textrecv": .text, "varcharrecv": .text, "bpcharrecv": .padded, "namerecv": .text,
      "citextrecv": .text, "enum_recv": .text, "json_recv": .text, "unknownrecv": .text,
      "charrecv": .char, "uuid_recv": .uuid, "bytearecv": .bytea, "jsonb_recv": .jsonb,
      "timestamp_recv": .timestamp, "timestamptz_recv": .timestamp, "date_recv": .date,
      "time_recv": .time,
    ]
  }

  extension PostgreSQLType {
    static let bool = builtIn(16, "boolean", .bool, 1000)
    static let bytea = builtIn(17, "bytea", .bytea, 1001)
    static let int8 = builtIn(20, "bigint", .int8, 1016)
    static let int2 = builtIn(21, "smallint", .int2, 1005)
    static let int4 = builtIn(23, "integer", .int4, 1007)
    static let text = builtIn(25, "text", .text, 1009)
    static let oid = builtIn(26, "oid", .oid, 1028)
    static let float4 = builtIn(700, "real", .float4, 1021)
    static let float8 = builtIn(701, "double precision", .float8, 1022)
    static let timestamptz = builtIn(1184, "timestamp with time zone", .timestamp, 1185)
    static let uuid = builtIn(2950, "uuid", .uuid, 2951)

    /// What functions return that return nothing: it is shown as an empty text.
    static let void = builtIn(2278, "void", .text, 0)

    private static func builtIn(
      _ number: UInt32, _ name: String, _ kind: Kind, _ array: UInt32
    ) -> Self {
      Self(number: number, name: name, kind: kind, array: array)
    }

    /// What is known before the database was asked.
    static let builtIns = [
      bool, bytea, int8, int2, int4, text, oid, float4, float8, timestamptz, uuid, void,
    ]
  }
#endif
