#if PostgreSQL
  internal import CPostgreSQL

  /// A connection, perhaps not established yet, closed when the handle is destroyed.
  struct ConnectionHandle: ~Copyable {
    let pointer: OpaquePointer

    /// Begins to connect.
    ///
    /// An error in the connection string is reported without libpq's message, which may contain the
    /// password.
    init(_ conninfo: String) throws(PostgreSQLError) {
      var complaint: UnsafeMutablePointer<CChar>?
      guard let options = PQconninfoParse(conninfo, &complaint) else {
        PQfreemem(complaint)
        throw .connectionFailed(state: nil, message: "The conninfo makes no sense.")
      }
      PQconninfoFree(options)
      // Later settings override the connection string, except for fallbacks.
      let settings = [
        ("dbname", conninfo), ("client_encoding", "UTF8"), ("fallback_application_name", "Kinship"),
      ]
      let texts = settings.map { ($0.0.utf8CString, $0.1.utf8CString) }
      var keywords: [UnsafePointer<CChar>?] = []
      var values: [UnsafePointer<CChar>?] = []
      let copies = texts.map { (Self.copy($0.0), Self.copy($0.1)) }
      defer {
        for copy in copies {
          copy.0.deallocate()
          copy.1.deallocate()
        }
      }
      for copy in copies {
        keywords.append(UnsafePointer(copy.0))
        values.append(UnsafePointer(copy.1))
      }
      keywords.append(nil)
      values.append(nil)
      guard let opened = PQconnectStartParams(keywords, values, 1) else {
        throw .connectionFailed(state: nil, message: "There is no memory for it.")
      }
      pointer = opened
      kinship_ignore_notices(opened)
    }

    private static func copy(_ text: ContiguousArray<CChar>) -> UnsafeMutablePointer<CChar> {
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      copy.initialize(from: Array(text), count: text.count)
      return copy
    }

    deinit { PQfinish(pointer) }
  }
#endif
