/// Names as they are written in Swift source.
enum SwiftName {
  /// A type as its own module names it.
  static func of(_ type: Any.Type) -> String {
    // Swift writes a type in a function or a private type with an "unknown context".
    let text = String(reflecting: type).replacing(/\(unknown context at [^)]*\)\.?/, with: "")
    guard let dot = text.firstIndex(of: "."), text[..<dot].allSatisfy({ $0 != "<" }) else {
      return text
    }
    return String(text[text.index(after: dot)...])
  }

  /// Returns the properties of a key path: the part after its first dot.
  ///
  /// A name that the parser would not accept is put in backticks; a component without a name is
  /// left for you to fill in.
  static func ofPath(_ path: String) -> String {
    if path.contains("<") { return "<#\(path.filter { $0 != "#" })#>" }
    return path.split(separator: ".", omittingEmptySubsequences: false).map { part in
      let name = part.hasSuffix("?") || part.hasSuffix("!") ? part.dropLast() : part
      return quoted(name) + part.dropFirst(name.count)
    }.joined(separator: ".")
  }

  /// After a dot all keywords are valid names, except for these.
  private static let reserved: Set<Substring> = ["self", "init", "Type", "Protocol"]

  private static func quoted(_ name: Substring) -> String {
    let isPlain =
      !reserved.contains(name) && name.first?.isNumber == false
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain ? String(name) : "`\(name)`"
  }
}
