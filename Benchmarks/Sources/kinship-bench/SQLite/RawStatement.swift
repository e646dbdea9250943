import CSQLite
import Kinship

/// A prepared statement over the columns of `Ancestor`.
final class RawStatement {
  let handle: OpaquePointer
  private let database: RawDatabase

  init(_ handle: OpaquePointer, of database: RawDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Moves to the next row; returns `false` after the last.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.error(code)
    }
  }

  func reset() { sqlite3_reset(handle) }

  func bind(_ value: Int, at position: Int32) {
    sqlite3_bind_int64(handle, position, Int64(value))
  }

  func bind(_ value: Double, at position: Int32) { sqlite3_bind_double(handle, position, value) }

  /// The row as a struct.
  var ancestor: Ancestor {
    Ancestor(
      id: int(0), name: text(1), place: text(2), birth: sqlite3_column_double(handle, 3),
      father: ref(4), mother: ref(5))
  }

  /// Binds a struct to the places of an INSERT: the columns in order.
  func bind(_ ancestor: Ancestor) {
    bind(ancestor.id, at: 1)
    bind(ancestor.name, at: 2)
    bind(ancestor.place, at: 3)
    bind(ancestor.birth, at: 4)
    bind(ancestor.father, at: 5)
    bind(ancestor.mother, at: 6)
  }

  func bind(_ text: String, at position: Int32) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = sqlite3_bind_text(
          handle, position, characters.baseAddress, Int32(characters.count), Self.transient)
      }
    }
  }

  private func bind(_ ref: Ref<Ancestor>?, at position: Int32) {
    if let ref { bind(ref.id, at: position) } else { sqlite3_bind_null(handle, position) }
  }

  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private func ref(_ column: Int32) -> Ref<Ancestor>? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : Ref(int(column))
  }

  /// Makes SQLite copy the bound bytes.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
