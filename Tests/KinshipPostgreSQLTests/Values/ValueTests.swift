#if PostgreSQL
  import Foundation
  import KinshipTesting
  import KinshipSQL
  import KinshipTestSupport
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestTraits
  import Testing

  /// Values survive the server, and the server shows the same values.
  @Suite(.dedicatedThreads, .needsServer) struct ValueTests {
    let connection: Connection
    let database: TestDatabase

    init() throws {
      database = try TestDatabase.make()
      connection = try database.connect()
      try connection.execute(
        """
        CREATE TYPE mood AS ENUM ('sad', 'it''s ok', 'hap"py');
        CREATE DOMAIN positive AS int CHECK (VALUE > 0);
        CREATE DOMAIN small AS positive;
        CREATE TYPE pair AS (a int, b int)
        """)
      try connection.types.reload(connection)
    }

    /// A type by its name.
    func type(_ name: String) throws -> PostgreSQLType {
      let number = try connection.query(
        "SELECT $1::regtype::oid", [PostgreSQLType.text.parameter(.text(name))]
      ).integer()
      return connection.types[UInt32(try #require(number))]
    }

    /// Writes values and reads them, and returns the values read and the server's texts.
    func roundTrip(
      _ values: [SQLValue], as name: String
    ) throws -> (values: [SQLValue], shown: [String?], list: [SQLValue]) {
      let type = try type(name)
      var back: [SQLValue] = []
      var shown: [String?] = []
      for result in try connection.pipeline(
        values.map { SQLCommand("SELECT $1, $1::text", [try type.parameter($0)]) })
      {
        back.append(try result.value(0, 0))
        shown.append(PostgreSQLCells(result).text(at: 1))
      }
      let list = try connection.query("SELECT $1", [try type.parameter(arrayOf: values)])
      let unnested = try connection.query(
        "SELECT unnest($1)", [try type.parameter(arrayOf: values)])
      #expect(try unnested.values().map { $0[0] } == back, "\(name)")
      return (back, shown, try list.list(0, 0))
    }

    /// Random values of each type, and the server's texts for them; `nil` if the test reads the
    /// text back instead.
    static func samples(
      _ name: String, _ random: inout SplitMix64
    ) -> [(SQLValue, String?)] {
      (0..<50).map { _ in sample(name, &random) } + [(.null, nil)]
    }

    private static func sample(_ name: String, _ random: inout SplitMix64) -> (SQLValue, String?) {
      func integer<I: FixedWidthInteger>(_ type: I.Type) -> (SQLValue, String?) {
        let width = Int.random(in: 0..<I.bitWidth, using: &random)
        let value = I.random(in: .min ... .max, using: &random) >> width
        return (.integer(Int64(value)), String(value))
      }
      switch name {
      case "bool":
        let value = Bool.random(using: &random)
        return (.integer(value ? 1 : 0), "\(value)")
      case "int2": return integer(Int16.self)
      case "int4": return integer(Int32.self)
      case "int8": return integer(Int64.self)
      case "oid": return integer(UInt32.self)
      case "float8":
        return (.real(Double(bitPattern: random.next() & ~(1 << 62))), nil)
      case "float4":
        return (.real(Double(Float(bitPattern: UInt32(random.next() >> 34)))), nil)
      case "numeric":
        var text = Bool.random(using: &random) ? "-" : ""
        text += String(random.next() >> UInt64.random(in: 0..<64, using: &random))
        let digits = Int.random(in: 0..<30, using: &random)
        if digits > 0 {
          text += "."
          for _ in 0..<digits {
            text += String(
              Bool.random(using: &random) ? 0 : Int.random(in: 0..<10, using: &random))
          }
        }
        // Zero has no sign in the server's text.
        let isZero = !text.contains { "123456789".contains($0) }
        return (.text(text), isZero ? text.replacingOccurrences(of: "-", with: "") : text)
      case "text", "varchar", "json":
        let alphabet = Array("ab\"\\{},'\u{1}\u{7F}\u{FFFD}ü🜁 \n\t")
        let text = String(
          (0..<Int.random(in: 0..<20, using: &random)).map { _ in
            alphabet.randomElement(using: &random) ?? "a"
          })
        if name == "json" {
          let encoded = (try? JSONEncoder().encode([text])) ?? Data()
          let json = String(decoding: encoded, as: UTF8.self)
          return (.text(json), json)
        }
        return (.text(text), text)
      case "jsonb":
        let json = "{\"a\": \(random.next() >> 12)}"
        return (.text(json), json)
      case "uuid":
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return (.blob(bytes), uuid(bytes))
      case "bytea":
        let count = Int.random(in: 0..<30, using: &random)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        return (.blob(bytes), "\\x" + bytes.map { String(format: "%02x", $0) }.joined())
      case "mood":
        let label = ["sad", "it's ok", "hap\"py"].randomElement(using: &random) ?? "sad"
        return (.text(label), label)
      case "small":
        let value = Int64.random(in: 1...Int64(Int32.max), using: &random)
        return (.integer(value), String(value))
      case "date":
        let days = Int64.random(in: -700_000...2_000_000, using: &random)
        return (.real(Double(days) * 86_400), nil)
      case "timestamptz", "timestamp":
        let microseconds = Int64.random(in: -(1 << 52)...(1 << 52), using: &random)
        return (.real(Double(microseconds) / 1e6), nil)
      case "time":
        let seconds = Int.random(in: 0..<86_400, using: &random)
        let rest = [0, 500_000, 1, 999_999, 120].randomElement(using: &random) ?? 0
        var text = String(
          format: "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
        if rest > 0 {
          text += "." + String(format: "%06d", rest)
          while text.hasSuffix("0") { text.removeLast() }
        }
        return (.text(text), text)
      default: return (.null, nil)
      }
    }

    static func uuid(_ bytes: [UInt8]) -> String {
      let digits = bytes.map { String(format: "%02x", $0) }
      return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        .joined(separator: "-")
    }

    @Test(arguments: [
      "bool", "int2", "int4", "int8", "oid", "float4", "float8", "numeric", "text", "varchar",
      "json", "jsonb", "uuid", "bytea", "mood", "small", "date", "timestamptz", "timestamp", "time",
    ]) func `values are read as they were written`(name: String) throws {
      for seed in 0..<4 as Range<UInt64> {
        var random = SplitMix64(seed: seed)
        let samples = Self.samples(name, &random)
        let found = try roundTrip(samples.map(\.0), as: name)
        #expect(found.list == found.values)
        for (index, (value, shown)) in samples.enumerated() {
          if let shown {
            #expect(found.shown[index] == shown)
            let expected = name == "numeric" ? .text(shown) : value
            #expect(found.values[index] == expected)
          } else {
            #expect(found.values[index] == value)
          }
        }
      }
    }

    /// The server's own arithmetic gives the expected dates.
    @Test func `dates equal the server's own arithmetic`() throws {
      try connection.execute("SET timezone = 'Asia/Kathmandu'")
      let rows = try connection.query(
        """
        SELECT t, t AT TIME ZONE 'UTC', (t AT TIME ZONE 'UTC')::date,
          extract(epoch FROM t)::text, extract(epoch FROM (t AT TIME ZONE 'UTC')::date)::text
        FROM unnest(ARRAY['2001-01-01Z', '1999-12-31 23:59:59.999999Z', '2038-01-19 03:14:08.5Z',
          '1815-12-10 01:02:03.000001Z', '0001-01-01 00:00:00Z', '9999-12-31 12:00:00Z']
          ::timestamptz[]) t
        """)
      for row in 0..<rows.count {
        let cells = PostgreSQLCells(rows, row: row)
        let epoch = try #require(cells.text(at: 3).flatMap { Decimal(string: $0) })
        let day = try #require(cells.text(at: 4).flatMap { Double($0) })
        let since2001 = epoch - 978_307_200
        let seconds = Double("\(since2001)")
        #expect(cells.real(at: 0) == seconds)
        #expect(cells.real(at: 1) == seconds)
        #expect(cells.real(at: 2) == day - 978_307_200)
      }
      #expect(rows.count == 6)
    }

    @Test func `values are accepted in other forms`() throws {
      let bytes = (0..<16).map { UInt8($0) }
      let upper = Self.uuid(bytes).uppercased()
      #expect(try roundTrip([.text(upper)], as: "uuid").values == [.blob(bytes)])
      #expect(
        try roundTrip([.integer(7), .real(-1.5e-7), .real(.nan), .text("1e3")], as: "numeric")
          .values == [.text("7"), .text("-0.00000015"), .text("NaN"), .text("1000")])
      #expect(
        try roundTrip([.text("2001-01-02"), .text("infinity")].dropLast(), as: "date").values
          == [.real(86_400)])
      #expect(try roundTrip([.integer(86_400)], as: "date").values == [.real(86_400)])
      #expect(
        try roundTrip([.text("2001-01-01 00:00:01.5Z")], as: "timestamptz").values == [.real(1.5)])
      #expect(try roundTrip([.integer(3)], as: "float8").values == [.real(3)])
      #expect(
        try roundTrip([.text("x"), .text("")], as: "\"char\"").values == [.text("x"), .text("")])
      let high = try connection.query(
        "SELECT (-1)::int::\"char\", repeat('9', 2000)::numeric, 1e-1000")
      #expect(try high.value(0, 0) == .text("\\377"))
      #expect(try high.value(0, 1) == .text(String(repeating: "9", count: 2_000)))
      #expect(PostgreSQLCells(high).text(at: 2)?.utf8.count == 1_002)
      let name = try connection.query("SELECT 'a'::name, 'b'::char(3), 'c', true, 5::numeric, 0.1")
      #expect(
        try name.values() == [
          [.text("a"), .text("b"), .text("c"), .integer(1), .text("5"), .text("0.1")]
        ])
      let cells = PostgreSQLCells(name)
      #expect(cells.integer(at: 4) == 5 && cells.integer(at: 5) == nil)
      #expect(cells.real(at: 5) == 0.1 && cells.integer(at: 0) == nil)
      #expect(cells.kind(at: 0) == "name" && cells.value(at: 9) == .null)
    }

    @Test func `values outside a type are refused`() throws {
      let cases: [(String, SQLValue)] = [
        ("bool", .integer(2)), ("int2", .integer(40_000)), ("int4", .integer(1 << 40)),
        ("int4", .text("1")), ("oid", .integer(-1)), ("float4", .real(1e300)),
        ("float8", .integer(.max)), ("text", .integer(1)), ("text", .text("a\0")),
        ("uuid", .text("0")), ("uuid", .blob([1])),
        ("uuid", .text(String(repeating: "g", count: 32))),
        ("bytea", .text("x")), ("date", .real(1)), ("date", .real(.infinity)),
        ("timestamptz", .real(.nan)), ("timestamptz", .real(1e300)), ("\"char\"", .real(1)),
        ("int4range", .text("[1,2)")), ("json", .text("\0")), ("numeric", .text("1\0")),
      ]
      for (name, value) in cases {
        let type = try type(name)
        #expect(refusal { _ = try type.parameter(value) } != nil, "\(name)")
        #expect(refusal { _ = try type.parameter(arrayOf: [.null, value]) } != nil, "\(name)")
      }
    }

    @Test func `types created later are known`() throws {
      try connection.execute("CREATE TYPE size AS ENUM ('large'); CREATE DOMAIN tag AS size")
      let rows = try connection.query("SELECT 'large'::size, ARRAY['large'::tag]")
      #expect(try rows.value(0, 0) == .text("large"))
      #expect(try rows.list(0, 1) == [.text("large")])
      try connection.execute("CREATE TYPE weight AS ENUM ('heavy')")
      #expect(try connection.pipeline([SQLCommand("SELECT 'heavy'::weight")])[0].text() == "heavy")
    }

    @Test func `unreadable columns are refused`() throws {
      for (sql, name) in [
        ("SELECT '[1,2)'::int4range AS x", "int4range"), ("SELECT ROW(1, 2)::pair AS x", "number"),
        ("SELECT '1 day'::interval AS x", "interval"), ("SELECT point(1, 2) AS x", "point"),
        ("SELECT ARRAY['1 day'::interval] AS x", "interval[]"),
      ] {
        let error = try #require(refusal { _ = try connection.query(sql) })
        guard case .unsupportedType(let type, "x") = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(type.hasPrefix(name))
      }
      let rows = try connection.query(
        "SELECT 'infinity'::date, '-infinity'::timestamptz, ARRAY[[1, 2], [3, 4]], ARRAY[1, NULL]")
      for column in 0..<2 {
        #expect(refusal { _ = try rows.value(0, column) } != nil)
        #expect(PostgreSQLCells(rows).real(at: column) == nil)
        #expect(!PostgreSQLCells(rows).isNull(at: column))
      }
      #expect(refusal { _ = try rows.list(0, 2) } != nil)
      #expect(try rows.list(0, 3) == [.integer(1), .null])
    }
  }

  /// No bytes make the decoder trap.
  struct MalformedValueTests {
    static let kinds: [PostgreSQLType.Kind] = [
      .bool, .int2, .int4, .int8, .oid, .float4, .float8, .numeric, .text, .char, .uuid, .bytea,
      .jsonb, .timestamp, .date, .time, .array(of: .int4), .array(of: .numeric), .other,
    ]

    @Test(arguments: kinds) func `any bytes are a value or none`(kind: PostgreSQLType.Kind) throws {
      var random = SplitMix64(seed: 7)
      for round in 0..<(try Effort().operations(80_000)) {
        let count = Int.random(in: 0..<40, using: &random)
        var bytes = (0..<count).map { _ in
          Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
        }
        if round.isMultiple(of: 2), bytes.count >= 20 {
          bytes.replaceSubrange(0..<4, with: [0, 0, 0, 1])
        }
        bytes.withUnsafeBytes {
          _ = kind.value(of: $0)
          _ = kind.integer(of: $0)
          _ = kind.real(of: $0)
          _ = kind.text(of: $0)
          _ = ArrayCoding.values(of: $0, kind)
        }
      }
      [UInt8]().withUnsafeBytes {
        let isEmpty = kind == .text || kind == .bytea
        #expect((kind.value(of: $0) != nil) == isEmpty)
      }
    }
  }
#endif
