import CSQLite
import Kinship

/// An OO7 database in a file, written and read with prepared statements, a table at a time, as a
/// program without any library would do it.
final class DesignDatabase {
  private let database: RawDatabase

  init(path: String) throws { database = try RawDatabase(path: path) }

  func insert(_ design: Design) throws {
    try database.execute(DesignTables.setup)
    try insert([design.module], "module") {
      [
        .number($0.id), .text($0.type), .number($0.buildDate), .number($0.manual.id),
        .number($0.designRoot.id),
      ]
    }
    try insert(design.complexAssemblies, "complexAssembly") {
      [.number($0.id), .text($0.type), .number($0.buildDate), .ref($0.superAssembly), .number(0)]
    }
    try insert(design.baseAssemblies, "baseAssembly") {
      [.number($0.id), .text($0.type), .number($0.buildDate), .ref($0.superAssembly), .number(0)]
    }
    for (table, components) in [
      ("privateComponent", \BaseAssembly.privateComponents),
      ("sharedComponent", \.sharedComponents),
    ] {
      let rows = design.baseAssemblies.flatMap { assembly in
        assembly[keyPath: components].map { (assembly.id, $0.id) }
      }
      try insert(rows, table) { [.number($0.0), .number($0.1)] }
    }
    try insert(design.composites.map(\.composite), "compositePart") {
      [.number($0.id), .text($0.type), .number($0.buildDate), .ref($0.document), .ref($0.rootPart)]
    }
    try insert(design.atomicParts, "atomicPart") {
      [
        .number($0.id), .text($0.type), .number($0.buildDate), .number($0.x), .number($0.y),
        .number($0.docID), .ref($0.partOf),
      ]
    }
    try insert(design.connections, "connection") {
      [.number($0.id), .text($0.type), .number($0.length), .ref($0.from), .ref($0.to)]
    }
  }

  private enum Value {
    case number(Int)
    case text(String)
    case null

    static func ref<R: GraphRecord>(_ ref: Ref<R>?) -> Value where R.ID == Int {
      ref.map { .number($0.id) } ?? .null
    }
  }

  private func insert<Row>(
    _ rows: [Row], _ table: String, _ values: (Row) -> [Value]
  ) throws {
    guard let first = rows.first else { return }
    let places = values(first).map { _ in "?" }.joined(separator: ", ")
    try database.insert(rows, by: "INSERT INTO \(table) VALUES (\(places))") { statement, row in
      for (index, value) in values(row).enumerated() {
        switch value {
        case .number(let number): statement.bind(number, at: Int32(index + 1))
        case .text(let text): statement.bind(text, at: Int32(index + 1))
        case .null: sqlite3_bind_null(statement.handle, Int32(index + 1))
        }
      }
    }
  }

  /// Reads the objects that a walk needs, and links them.
  func objects() throws -> DesignObjects {
    var complex: [ComplexAssembly] = []
    try read("SELECT id, type, buildDate, superAssembly FROM complexAssembly ORDER BY id") { row in
      complex.append(
        ComplexAssembly(
          id: row.int(0), type: row.text(1), buildDate: row.int(2),
          superAssembly: complex.isEmpty ? nil : Ref(row.int(3)), module: Ref(0),
          subAssemblies: [], baseAssemblies: []))
      if row.int(0) > 0 { complex[row.int(3)].subAssemblies.append(Ref(row.int(0))) }
    }
    var bases: [BaseAssembly] = []
    try read("SELECT id, type, buildDate, superAssembly FROM baseAssembly ORDER BY id") { row in
      bases.append(
        BaseAssembly(
          id: row.int(0), type: row.text(1), buildDate: row.int(2), superAssembly: Ref(row.int(3)),
          module: Ref(0), privateComponents: [], sharedComponents: []))
      complex[row.int(3)].baseAssemblies.append(Ref(row.int(0)))
    }
    try read("SELECT assembly, part FROM privateComponent") {
      bases[$0.int(0)].privateComponents.append(Ref($0.int(1)))
    }
    var composites: [DesignComposite] = []
    try read("SELECT id, type, buildDate, rootPart FROM compositePart ORDER BY id") { row in
      composites.append(
        DesignComposite(
          CompositePart(
            id: row.int(0), type: row.text(1), buildDate: row.int(2), document: nil,
            rootPart: Ref(row.int(3)), parts: [])))
    }
    var owners: [Int] = []
    try read(
      "SELECT id, type, buildDate, x, y, docID, partOf FROM atomicPart ORDER BY id"
    ) { row in
      owners.append(row.int(6))
      composites[row.int(6)].atomicParts.append(
        AtomicPart(
          id: row.int(0), type: row.text(1), buildDate: row.int(2), x: row.int(3), y: row.int(4),
          docID: row.int(5), to: [], partOf: Ref(row.int(6))))
    }
    try read("SELECT id, type, length, source, target FROM connection ORDER BY id") { row in
      composites[owners[row.int(3)]].connections.append(
        Connection(
          id: row.int(0), type: row.text(1), length: row.int(2), from: Ref(row.int(3)),
          to: Ref(row.int(4))))
    }
    return DesignObjects(
      manual: "", complexAssemblies: complex, baseAssemblies: bases, composites: composites)
  }

  private func read(_ query: String, _ body: (RawStatement) -> Void) throws {
    let statement = try database.prepare(query)
    while try statement.step() { body(statement) }
  }
}
