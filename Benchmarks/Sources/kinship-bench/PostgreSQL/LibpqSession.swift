import CPostgreSQL
import Foundation
import Kinship

/// A session as a program without any library would write it: prepared statements, binary values.
final class LibpqSession {
  let connection: OpaquePointer
  static let columns = "id, name, place, birth, father, mother"

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(_ conninfo: String) throws {
    guard let connection = PQconnectdb(conninfo) else {
      throw Failure(description: "there is no memory for a connection")
    }
    guard PQstatus(connection) == CONNECTION_OK else {
      defer { PQfinish(connection) }
      throw Failure(description: String(cString: PQerrorMessage(connection)))
    }
    self.connection = connection
  }

  deinit { PQfinish(connection) }

  func execute(_ sql: String) throws {
    let result = PQexec(connection, sql)
    defer { PQclear(result) }
    let status = PQresultStatus(result)
    guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else { throw failure }
  }

  /// A table of a lineage's records, filled.
  func fill(_ lineage: Lineage) throws {
    try execute(
      """
      CREATE TABLE ancestor (
        id bigint PRIMARY KEY, name text NOT NULL, place text NOT NULL, birth float8 NOT NULL,
        father bigint, mother bigint)
      """)
    for records in lineage.records.batches(of: 10_000) {
      let rows = records.map { record in
        let parents = [record.father, record.mother].map { $0.map { "\($0.id)" } ?? "NULL" }
        return """
          (\(record.id), '\(record.name)', '\(record.place)', \(record.birth), \
          \(parents.joined(separator: ", ")))
          """
      }
      try execute("INSERT INTO ancestor VALUES \(rows.joined(separator: ","))")
    }
    try execute("ANALYZE ancestor")
  }

  func prepare(_ name: String, _ sql: String) throws {
    let result = PQprepare(connection, name, sql, 0, nil)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
  }

  /// The records that a prepared statement finds.
  func records(_ name: String, _ parameters: [[UInt8]] = []) throws -> [Ancestor] {
    let result = try run(name, parameters)
    defer { PQclear(result) }
    let count = PQntuples(result)
    var records: [Ancestor] = []
    records.reserveCapacity(Int(count))
    for row in 0..<count {
      func text(_ column: Int32) -> String {
        let bytes = UnsafeRawBufferPointer(
          start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return String(decoding: bytes, as: UTF8.self)
      }
      func integer(_ column: Int32) -> UInt64 {
        UInt64(
          bigEndian: UnsafeRawPointer(PQgetvalue(result, row, column)).loadUnaligned(
            as: UInt64.self))
      }
      func parent(_ column: Int32) -> Ref<Ancestor>? {
        PQgetisnull(result, row, column) == 1
          ? nil : Ref(Int(truncatingIfNeeded: integer(column)))
      }
      records.append(
        Ancestor(
          id: Int(truncatingIfNeeded: integer(0)), name: text(1), place: text(2),
          birth: Double(bitPattern: integer(3)), father: parent(4), mother: parent(5)))
    }
    return records
  }

  /// A statement for each generation.
  func pedigree(of root: Int, generations: Int) throws -> Int {
    var (found, wanted) = (0, [root])
    var seen: Set<Int> = [root]
    for _ in 0..<generations where !wanted.isEmpty {
      var next: [Int] = []
      for record in try records("generation", [Self.array(wanted)]) {
        found += 1
        if let father = record.father?.id, seen.insert(father).inserted { next.append(father) }
        if let mother = record.mother?.id, seen.insert(mother).inserted { next.append(mother) }
      }
      wanted = next
    }
    return found
  }

  /// A statement for each person, each person once.
  func pedigreeByRows(of root: Int, generations: Int) throws -> Int {
    var (found, wanted) = (0, [root])
    var seen: Set<Int> = [root]
    for _ in 0..<generations {
      var next: [Int] = []
      for id in wanted {
        guard let record = try records("one", [Self.bytes(id)]).first else { continue }
        found += 1
        if let father = record.father?.id, seen.insert(father).inserted { next.append(father) }
        if let mother = record.mother?.id, seen.insert(mother).inserted { next.append(mother) }
      }
      wanted = next
    }
    return found
  }

  /// Runs a prepared statement, and says how many rows it has changed.
  func write(_ name: String, _ parameters: [[UInt8]]) throws -> Int {
    let result = try run(name, parameters)
    defer { PQclear(result) }
    return Int(String(cString: PQcmdTuples(result))) ?? 0
  }

  private func run(_ name: String, _ parameters: [[UInt8]]) throws -> OpaquePointer? {
    let all = parameters.flatMap { $0 }
    var offset = 0
    let starts = parameters.map { bytes in
      defer { offset += bytes.count }
      return offset
    }
    let result = all.withUnsafeBytes { bytes in
      let base = bytes.bindMemory(to: CChar.self).baseAddress
      return PQexecPrepared(
        connection, name, Int32(parameters.count), starts.map { base?.advanced(by: $0) },
        parameters.map { Int32($0.count) }, parameters.map { _ in 1 }, 1)
    }
    let status = PQresultStatus(result)
    guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
      PQclear(result)
      throw failure
    }
    return result
  }

  var failure: Failure {
    Failure(description: String(cString: PQerrorMessage(connection)))
  }

  // MARK: Binary forms

  static func bytes(_ integer: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: integer.bigEndian) { Array($0) }
  }

  /// An array of `bigint`.
  static func array(_ values: [Int]) -> [UInt8] { array(20, values.map { bytes(Int64($0)) }) }

  /// An array of `double precision`.
  static func array(_ values: [Double]) -> [UInt8] {
    array(701, values.map { bytes($0.bitPattern) })
  }

  /// An array of `text`.
  static func array(_ values: [String]) -> [UInt8] { array(25, values.map { Array($0.utf8) }) }

  private static func array(_ type: Int32, _ values: [[UInt8]]) -> [UInt8] {
    var array = [1, 0, type, Int32(values.count), 1].flatMap { bytes($0) }
    array.reserveCapacity(array.count + values.reduce(0) { $0 + $1.count + 4 })
    for value in values {
      array += bytes(Int32(value.count))
      array += value
    }
    return array
  }
}
