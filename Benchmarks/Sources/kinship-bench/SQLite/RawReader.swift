import Kinship

/// Reads pedigrees with prepared statements: at the least cost, and with a statement for each row.
final class RawReader {
  /// Kept, because the file is removed with the object.
  private let file: LineageFile
  private let database: RawDatabase
  private let one: RawStatement
  private let all: RawStatement
  private let bornBetween: RawStatement
  /// Statements by their number of ids, a power of two.
  private var lists: [Int: RawStatement] = [:]
  private(set) var statements = 0

  /// The largest number of parameters in one statement.
  private static let limit = 32_768 / 2

  init(_ file: LineageFile) throws {
    self.file = file
    database = try RawDatabase(path: file.path)
    try database.execute(file.settings)
    let select = "SELECT \(LineageFile.columns) FROM ancestor"
    one = try database.prepare("\(select) WHERE id = ?")
    all = try database.prepare(select)
    bornBetween = try database.prepare(
      "\(select) WHERE birth >= ? AND birth < ? AND mother IS NOT NULL ORDER BY name, id LIMIT ?")
  }

  func everybody() throws -> [Ancestor] {
    var records: [Ancestor] = []
    defer { all.reset() }
    while try all.step() { records.append(all.ancestor) }
    return records
  }

  /// Those born within some time who have a mother, the first by name.
  func born(between lower: Double, _ upper: Double, limit: Int) throws -> [Ancestor] {
    bornBetween.bind(lower, at: 1)
    bornBetween.bind(upper, at: 2)
    bornBetween.bind(limit, at: 3)
    defer { bornBetween.reset() }
    var records: [Ancestor] = []
    while try bornBetween.step() { records.append(bornBetween.ancestor) }
    return records
  }

  /// A statement for each generation, or several where it has more than one may ask for.
  func pedigree(of root: Int, generations: Int) throws -> [Int: Ancestor] {
    var found: [Int: Ancestor] = [:]
    var wanted = [root]
    var seen: Set<Int> = [root]
    for _ in 0..<generations where !wanted.isEmpty {
      var next: [Int] = []
      var start = 0
      while start < wanted.count {
        let end = min(start + Self.limit, wanted.count)
        try read(wanted[start..<end]) { record in
          found[record.id] = record
          if let father = record.father?.id, seen.insert(father).inserted { next.append(father) }
          if let mother = record.mother?.id, seen.insert(mother).inserted { next.append(mother) }
        }
        start = end
      }
      wanted = next
    }
    return found
  }

  private func read(_ ids: ArraySlice<Int>, _ body: (Ancestor) -> Void) throws {
    var count = 1
    while count < ids.count { count *= 2 }
    let statement = try statement(of: count)
    var position: Int32 = 1
    for id in ids {
      statement.bind(id, at: position)
      position += 1
    }
    // The remaining parameters repeat the last id.
    while position <= count, let last = ids.last {
      statement.bind(last, at: position)
      position += 1
    }
    defer { statement.reset() }
    statements += 1
    while try statement.step() { body(statement.ancestor) }
  }

  private func statement(of count: Int) throws -> RawStatement {
    if let statement = lists[count] { return statement }
    let places = Array(repeating: "?", count: count).joined(separator: ",")
    let statement = try database.prepare(
      "SELECT \(LineageFile.columns) FROM ancestor WHERE id IN (\(places))")
    lists[count] = statement
    return statement
  }

  /// A statement for each person, outside of a transaction; each person once.
  func pedigreeByRows(of root: Int, generations: Int) throws -> [Int: Ancestor] {
    var found: [Int: Ancestor] = [:]
    var wanted = [root]
    for _ in 0..<generations {
      var next: [Int] = []
      for id in wanted where found[id] == nil {
        guard let record = try row(id) else { continue }
        found[id] = record
        if let father = record.father?.id { next.append(father) }
        if let mother = record.mother?.id { next.append(mother) }
      }
      wanted = next
    }
    return found
  }

  /// Reads in one transaction.
  func pedigreeByRowsAtOnce(of root: Int, generations: Int) throws -> [Int: Ancestor] {
    try database.transaction { try pedigreeByRows(of: root, generations: generations) }
  }

  private func row(_ id: Int) throws -> Ancestor? {
    one.bind(id, at: 1)
    defer { one.reset() }
    statements += 1
    return try one.step() ? one.ancestor : nil
  }
}
