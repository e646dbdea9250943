#if PostgreSQL
  internal import CPostgreSQL

  extension PostgreSQLError {
    /// What the server says in a result that is an error.
    init(of result: OpaquePointer, sql: String?) {
      /// A field by the letter that the protocol has for it.
      func field(_ code: Character) -> String? {
        code.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }
          .map { String(cString: $0) }
      }
      guard let state = field("C").map({ SQLSTATE($0) }) else {
        // What libpq itself says, such as that the connection is gone.
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

    /// What libpq says of a connection, in one line.
    static func sentence(_ message: String) -> String {
      message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }
#endif
