internal import Foundation

/// The place of records, as an argument names it: a directory, `sqlite:FILE` or
/// `postgresql:CONNINFO`.
package enum StoreLocation: Equatable {
  case directory(String)
  case database(String)
  /// A database of a PostgreSQL server, by its conninfo.
  case server(String)

  /// Reads an argument; `nil` if it names nothing.
  package init?(_ text: String) {
    if text.hasPrefix("sqlite:") {
      self = .database(String(text.dropFirst("sqlite:".count)))
    } else if DatabaseName.isURI(text) {
      self = .server(text)
    } else if text.hasPrefix("postgresql:") {
      self = .server(String(text.dropFirst("postgresql:".count)))
    } else {
      self = .directory(text)
    }
    // A database in memory would be gone at the end of the program.
    if path == "" || path == ":memory:" { return nil }
  }

  /// The name in messages, without any part of a conninfo that may be a password.
  package var name: String {
    switch self {
    case .directory(let path), .database(let path): path
    case .server(let conninfo): DatabaseName(conninfo).description
    }
  }

  /// Its file or directory; `nil` for a database on a server.
  package var path: String? {
    switch self {
    case .directory(let path), .database(let path): path
    case .server: nil
    }
  }

  /// The failure of a program that is built without the trait of the database.
  package func needsTrait(of program: String) -> Failure {
    let trait = path == nil ? "PostgreSQL" : "SQLite"
    return Failure(
      status: .usage, subject: name,
      message: "it needs \(trait), which this program is built without. Run: swift run --traits "
        + "\(trait) \(program)")
  }
}

/// The name of a database in messages: its location, never its conninfo, which may hold a password.
package struct DatabaseName: CustomStringConvertible {
  package let description: String

  /// The parameters of a conninfo that a message may show.
  private static let told = ["service", "host", "hostaddr", "port", "dbname"]

  /// - Parameter conninfo: A URI or a list of parameters for libpq. If it is malformed, the name
  ///   shows none of it, because any part may be the password.
  package init(_ conninfo: String) {
    let parameters = Self.isURI(conninfo) ? Self.uri(conninfo) : Self.list(conninfo)
    let parts = Self.told.compactMap { key in
      parameters?[key].map { "\(key)=\(Self.isHarmless($0) ? $0 : "…")" }
    }
    description = "postgresql:" + (parameters == nil ? "…" : parts.joined(separator: " "))
  }

  /// Whether a text is a URI, which is a complete conninfo.
  package static func isURI(_ text: String) -> Bool {
    ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
  }

  /// Whether a value does not look like a misplaced URI or parameter.
  private static func isHarmless(_ value: String) -> Bool {
    !value.contains { $0 == "@" || $0 == "=" }
  }

  // MARK: Reading as libpq does

  /// Parses `host=/tmp dbname = 'our music'`; `nil` if libpq would reject it.
  private static func list(_ text: String) -> [String: String]? {
    var parameters: [String: String] = [:]
    var rest = Substring(text)
    func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }
    skipBlanks()
    while !rest.isEmpty {
      let key = rest.prefix { $0 != "=" && !$0.isWhitespace }
      rest = rest.dropFirst(key.count)
      skipBlanks()
      guard !key.isEmpty, rest.popFirst() == "=" else { return nil }
      skipBlanks()
      guard let value = value(&rest) else { return nil }
      parameters[String(key)] = value
      skipBlanks()
    }
    return parameters
  }

  /// Parses a value, perhaps quoted; a backslash escapes the next character.
  private static func value(_ rest: inout Substring) -> String? {
    let isQuoted = rest.first == "'"
    if isQuoted { rest.removeFirst() }
    var value = ""
    while let character = rest.first, isQuoted || !character.isWhitespace {
      rest.removeFirst()
      switch character {
      case "'" where isQuoted: return value
      case "\\": if let escaped = rest.popFirst() { value.append(escaped) }
      default: value.append(character)
      }
    }
    return isQuoted ? nil : value
  }

  /// Parses `postgresql://user:password@host:port/dbname?key=value`; `nil` if it is not certain
  /// which part is the password.
  private static func uri(_ text: String) -> [String: String]? {
    guard let scheme = text.range(of: "://") else { return nil }
    var rest = text[scheme.upperBound...]
    if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" {
      rest = rest[rest.index(after: end)...]
    }
    let server = rest.prefix { $0 != "/" && $0 != "?" }
    rest = rest.dropFirst(server.count)
    guard !rest.prefix(while: { $0 != "?" }).contains("@"), !server.contains("@") else {
      return nil
    }
    var parameters: [String: String] = [:]
    if !server.isEmpty { parameters["host"] = server.removingPercentEncoding }
    let database = rest.dropFirst().prefix { $0 != "?" }
    if rest.first == "/", !database.isEmpty {
      parameters["dbname"] = database.removingPercentEncoding
    }
    for part in rest.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return nil }
      parameters[String(pair[0])] = pair[1].removingPercentEncoding
    }
    return parameters
  }
}
