#if PostgreSQL
  internal import CPostgreSQL

  extension PostgreSQLError {
    /// Creates an error from a result of the server.
    init(of result: OpaquePointer, sql: String?) {
      /// Returns a field by its letter in the protocol.
      func field(_ code: Character) -> String? {
        code.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }
          .map { String(cString: $0) }
      }
      guard let state = field("C").map({ SQLSTATE($0) }) else {
        // libpq itself reports such errors, for example that the connection is lost.
        self = .connectionFailed(
          state: nil, message: Self.sentence(String(cString: PQresultErrorMessage(result))))
        return
      }
      let said = field("M") ?? "without a message"
      let message = state.hasHarmlessMessage ? said : state.name ?? "a message with values"
      self =
        state.isConnectionLoss
        ? .connectionFailed(state: state, message: message)
        : .failed(
          state: state, message: message,
          subject: Subject(
            schema: field("s"), table: field("t"), column: field("c"), type: field("d"),
            constraint: field("n")), sql: sql)
    }

    /// Returns libpq's message about a connection, in one line.
    static func sentence(_ message: String) -> String {
      message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }
#endif
