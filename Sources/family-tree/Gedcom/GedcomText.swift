import KinshipProgram

/// A value as a reader should see it, or the pointer that it is.
enum GedcomText {
  /// The xref that a value points to: `@I1@`, at signs included.
  ///
  /// `@#DJULIAN@` looks alike and is none.
  static func pointer(_ value: String) -> String? {
    let value = value.trimmingBlanks
    let bytes = value.utf8
    guard bytes.count > 2, bytes.first == at, bytes.last == at else { return nil }
    let name = bytes.dropFirst().dropLast()
    guard name.first != UInt8(ascii: "#"), !name.contains(at) else { return nil }
    return value.readable
  }

  /// Returns the value with its doubled at signs single.
  ///
  /// Version 5 doubles each at sign of a text, version 7 only one that begins a line of it.
  static func unescaped(_ value: String, isVersion7: Bool) -> String {
    guard value.utf8.contains(at) else { return value }
    if isVersion7 {
      return value.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.utf8.starts(with: "@@".utf8) ? $0.dropFirst() : $0 }.joined(separator: "\n")
    }
    var result = ""
    var isSecond = false
    for scalar in value.unicodeScalars {
      isSecond = scalar == "@" && !isSecond && result.unicodeScalars.last == "@"
      if !isSecond { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  private static let at = UInt8(ascii: "@")
}

extension StringProtocol {
  /// Without spaces and tabs at either end.
  var trimmingBlanks: String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
    let rest = unicodeScalars.drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(String.UnicodeScalarView(rest[...last]))
  }
}
