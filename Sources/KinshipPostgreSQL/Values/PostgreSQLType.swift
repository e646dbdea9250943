#if PostgreSQL
  struct PostgreSQLType: Hashable, Sendable {
    /// The OID of the type.
    let number: UInt32
    /// The name in SQL.
    let name: String
    let kind: Kind
    /// The OID of the type of its arrays; 0 if there is none.
    let array: UInt32

    /// The form in which values are sent.
    indirect enum Kind: Hashable, Sendable {
      case bool
      case int2
      case int4
      case int8
      case oid
      case float4
      case float8
      case numeric
      /// Any text, or a type that is sent as one: a name, an enumeration's label, JSON.
      case text
      /// A text padded with insignificant spaces: `char(n)`.
      case padded
      /// One byte, shown as a character: `"char"`.
      case char
      case uuid
      case bytea
      /// JSON, preceded by a byte for its version.
      case jsonb
      /// A timestamp, with or without a time zone.
      case timestamp
      case date
      case time
      case array(of: Kind)
      /// A type that cannot be read: ranges, rows, types of extensions.
      case other
    }

    var isReadable: Bool {
      switch kind {
      case .other: false
      case .array(let element): element != .other
      default: true
      }
    }
  }

  extension PostgreSQLType.Kind {
    /// Whether a stored value reads back unchanged; other types round.
    var isExact: Bool {
      switch self {
      // jsonb reorders JSON, which a text shows.
      case .float4, .numeric, .char, .timestamp, .date, .time, .jsonb: false
      case .array(let element): element.isExact
      default: true
      }
    }

    /// The kinds of types by the server's functions that receive their values.
    ///
    /// Types with the same function are sent in the same form, whatever their names.
    static let byFunction: [String: Self] = [
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

    /// The return type of functions without a result, shown as an empty text.
    static let void = builtIn(2278, "void", .text, 0)

    private static func builtIn(
      _ number: UInt32, _ name: String, _ kind: Kind, _ array: UInt32
    ) -> Self {
      Self(number: number, name: name, kind: kind, array: array)
    }

    /// The types known before the database is asked.
    static let builtIns = [
      bool, bytea, int8, int2, int4, text, oid, float4, float8, timestamptz, uuid, void,
    ]
  }
#endif
