#if PostgreSQL
  internal import Kinship

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

    func load(_ connection: Connection) throws {
      if !state.withLock({ $0.isLoaded }) { try reload(connection) }
    }

    func reload(_ connection: Connection) throws {
      typealias Row = (name: String, function: String, base: UInt32, element: UInt32, array: UInt32)
      var found: [UInt32: Row] = [:]
      for cells in try connection.query(Self.sql).all {
        guard let number = cells.oid(at: 0), let name = cells.text(at: 1),
          let function = cells.text(at: 2)
        else { continue }
        let numbers = (3..<6).map { cells.oid(at: $0) ?? 0 }
        found[number] = (name, function, numbers[0], numbers[1], numbers[2])
      }
      /// Resolves the base types of domains and the element types of arrays step by step.
      func kind(_ number: UInt32, depth: Int = 0) -> PostgreSQLType.Kind {
        guard let row = found[number], depth < 32 else { return .other }
        if row.base != 0 { return kind(row.base, depth: depth + 1) }
        if row.function == "array_recv" { return .array(of: kind(row.element, depth: depth + 1)) }
        return PostgreSQLType.Kind.byFunction[row.function] ?? .other
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
