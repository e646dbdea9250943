internal import Foundation

/// How messages name a database on a server: by where it is, and never by its conninfo, which
/// may hold a password.
package struct DatabaseName: CustomStringConvertible {
  package let description: String

  /// What of a conninfo may be told.
  private static let told = ["service", "host", "hostaddr", "port", "dbname"]

  /// - Parameter conninfo: What libpq takes, a URI or a list of parameters. Of one that makes no
  ///   sense nothing is told, for anything in it may be the password.
  package init(_ conninfo: String) {
    let parameters = Self.isURI(conninfo) ? Self.uri(conninfo) : Self.list(conninfo)
    let parts = Self.told.compactMap { key in
      parameters?[key].map { "\(key)=\(Self.isHarmless($0) ? $0 : "…")" }
    }
    description = "postgresql:" + (parameters == nil ? "…" : parts.joined(separator: " "))
  }

  /// Whether it is a URI, which is a conninfo as it is.
  package static func isURI(_ text: String) -> Bool {
    ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
  }

  /// What looks like a URI or a parameter is in the wrong place.
  private static func isHarmless(_ value: String) -> Bool {
    !value.contains { $0 == "@" || $0 == "=" }
  }

  // MARK: Reading as libpq does

  /// `host=/tmp dbname = 'our music'`; nil for what libpq would not take.
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

  /// A value, perhaps in quotation marks; a backslash takes what follows it as it is.
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

  /// `postgresql://user:password@host:port/dbname?key=value`; nil where it is not certain which
  /// part is the password.
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
