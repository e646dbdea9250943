import CSQLite

/// Writes with prepared statements, which is the least cost of a change.
final class RawWriter {
  /// Kept, because the file is removed with the object.
  private let file: LineageFile
  private let database: RawDatabase
  private let update: RawStatement

  init(_ file: LineageFile) throws {
    self.file = file
    database = try RawDatabase(path: file.path)
    try database.execute(file.settings)
    update = try database.prepare("UPDATE ancestor SET place = ? WHERE id = ?")
  }

  /// Changes the places of persons in one transaction, each by a statement.
  func write(_ ids: [Int], place: String) throws {
    try database.transaction("BEGIN IMMEDIATE") {
      for id in ids {
        update.bind(place, at: 1)
        update.bind(id, at: 2)
        _ = try update.step()
        update.reset()
        if sqlite3_changes(database.handle) != 1 {
          throw RawError(code: SQLITE_NOTFOUND, message: "there is no ancestor \(id)")
        }
      }
    }
  }

  func count(place: String) throws -> Int {
    let statement = try database.prepare("SELECT id FROM ancestor WHERE place = ?")
    statement.bind(place, at: 1)
    var count = 0
    while try statement.step() { count += 1 }
    return count
  }
}
