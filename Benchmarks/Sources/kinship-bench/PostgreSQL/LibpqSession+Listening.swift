import CPostgreSQL
import Foundation

extension LibpqSession {
  /// Waits for a notification, and takes all that have arrived.
  func waitForNotification() throws {
    while true {
      guard PQconsumeInput(connection) == 1 else { throw failure }
      var isNotified = false
      while let notification = PQnotifies(connection) {
        PQfreemem(notification)
        isNotified = true
      }
      if isNotified { return }
      var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, -1)
    }
  }

  /// Returns the number that a statement selects.
  func number(_ sql: String) throws -> Int {
    let result = PQexec(connection, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) == 1,
      let number = Int(String(cString: PQgetvalue(result, 0, 0)))
    else { throw failure }
    return number
  }
}
