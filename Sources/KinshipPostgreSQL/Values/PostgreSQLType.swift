#if PostgreSQL
  internal import Kinship

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

    /// Whether values of the type can be read.
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

    /// Finds the kind of a type by the server's function that receives its values.
    ///
    /// Types with the same function are sent in the same form, whatever their names.
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

  /// The types of a database by OID, shared by the connections of a store.
  final class TypeCatalog: Sendable {
    private struct State {
      var types: [UInt32: PostgreSQLType]
      var isLoaded = false
    }

    private let state: Lock<State>

    init() {
      state = Lock(
        State(
          types: Dictionary(uniqueKeysWithValues: PostgreSQLType.builtIns.map { ($0.number, $0) })))
    }

    /// Returns a type; for an unknown OID, a type without a name, which cannot be read.
    subscript(number: UInt32) -> PostgreSQLType {
      state.withLock { $0.types[number] }
        ?? PostgreSQLType(number: number, name: "", kind: .other, array: 0)
    }

    /// Asks the database for its types, once.
    func load(_ connection: Connection) throws {
      if !state.withLock({ $0.isLoaded }) { try reload(connection) }
    }

    /// Asks the database for its types again.
    func reload(_ connection: Connection) throws {
      let rows = try connection.query(Self.sql)
      typealias Row = (name: String, function: String, base: UInt32, element: UInt32, array: UInt32)
      var found: [UInt32: Row] = [:]
      for row in 0..<rows.count {
        let cells = PostgreSQLCells(rows, row: row)
        guard let number = cells.integer(at: 0).flatMap({ UInt32(exactly: $0) }),
          let name = cells.text(at: 1), let function = cells.text(at: 2)
        else { continue }
        let numbers = (3..<6).map { cells.integer(at: $0).flatMap { UInt32(exactly: $0) } ?? 0 }
        found[number] = (name, function, numbers[0], numbers[1], numbers[2])
      }
      /// Resolves the base types of domains and the element types of arrays step by step.
      func kind(_ number: UInt32, depth: Int = 0) -> PostgreSQLType.Kind {
        guard let row = found[number], depth < 32 else { return .other }
        if row.base != 0 { return kind(row.base, depth: depth + 1) }
        if row.function == "array_recv" { return .array(of: kind(row.element, depth: depth + 1)) }
        return PostgreSQLType.Kind(receivedBy: row.function)
      }
      let types = found.map { number, row in
        (
          number,
          PostgreSQLType(number: number, name: row.name, kind: kind(number), array: row.array)
        )
      }
      state.withLock { state in
        state.types.merge(types) { $1 }
        state.isLoaded = true
      }
    }

    /// Selects the types.
    ///
    /// A cast to `character` would leave one character of a `char(n)`. The row types of tables are
    /// omitted because no column can have them.
    private static let sql = """
      SELECT t.oid,
        CASE t.oid WHEN 1042 THEN 'bpchar' WHEN 1014 THEN 'bpchar[]'
          ELSE format_type(t.oid, NULL) END, p.proname::text, t.typbasetype, t.typelem, t.typarray
      FROM pg_catalog.pg_type t JOIN pg_catalog.pg_proc p ON p.oid = t.typreceive
      WHERE t.typtype IN ('b', 'd', 'e', 'r', 'm')
      """
  }
#endif
