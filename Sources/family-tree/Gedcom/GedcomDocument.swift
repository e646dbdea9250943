import KinshipProgram

/// A line of a GEDCOM file with its continuations, and the lines below it, at most 99 levels.
struct GedcomStructure: Sendable {
  let lineNumber: Int
  fileprivate var line: GedcomLine
  fileprivate(set) var xref: String?
  /// The value as a reader should see it; `nil` if there is none.
  fileprivate(set) var text: String?
  /// The xref that the value points to, if it is a pointer to a record.
  fileprivate(set) var pointer: String?
  /// Whether the value is version 7's pointer to nothing.
  fileprivate(set) var pointsNowhere = false
  fileprivate(set) var children: [GedcomStructure] = []

  var tag: String { line.tag }

  fileprivate init(_ line: GedcomLine, _ lineNumber: Int) {
    (self.line, self.lineNumber) = (line, lineNumber)
  }

  subscript(_ tag: String) -> GedcomStructure? { children.first { $0.tag == tag } }

  /// The value before it is decoded, for the header.
  fileprivate var asciiValue: String {
    String(decoding: line.value, as: UTF8.self).trimmingBlanks
  }

  /// Decodes each value by itself, so that a damaged one leaves the others as they are.
  fileprivate mutating func decode(
    _ encoding: TextEncoding, isVersion7: Bool, _ diagnostics: inout Diagnostics
  ) {
    let (value, xref) = (encoding.decode(line.value), line.xref.map(encoding.decode))
    self.xref = xref?.text.readable
    if !value.isIntact || xref?.isIntact == false {
      diagnostics.warn(lineNumber, "characters that the file's encoding does not know")
    }
    let text = GedcomText.unescaped(value.text, isVersion7: isVersion7).readable
    self.text = text.isEmpty ? nil : text
    pointer = GedcomText.pointer(value.text)
    pointsNowhere = pointer == "@VOID@"
    if pointsNowhere { pointer = nil }
    for index in children.indices {
      children[index].decode(encoding, isVersion7: isVersion7, &diagnostics)
    }
  }
}

/// The structures of level 0 of a GEDCOM file.
struct GedcomDocument: Sendable {
  private(set) var records: [GedcomStructure] = []
  /// The open lines, one for each level, below which further lines can be added.
  private var open: [GedcomStructure] = []
  /// The values that are more than ASCII: how many are valid UTF-8, and how many are not.
  private var (valid, damaged) = (0, 0)

  init(_ file: [UInt8], diagnostics: inout Diagnostics) throws(GedcomError) {
    if file.isEmpty { throw .empty }
    let (text, isMarked) = TextEncoding.unmarked(file, &diagnostics)
    for (number, bytes) in LineSplitter(text) {
      if bytes.allSatisfy({ $0 <= UInt8(ascii: " ") }) { continue }
      do throws(GedcomLine.Damage) {
        append(try GedcomLine(bytes), number, &diagnostics)
      } catch {
        diagnostics.warn(number, error.rawValue)
      }
    }
    close(downTo: 0)

    let header = records.first { $0.tag == "HEAD" }
    let version = header?["GEDC"]?["VERS"]?.asciiValue.prefix { $0 != "." }
    let isVersion7 = version.flatMap { Int($0) } ?? 0 >= 7
    let encoding =
      isMarked || isVersion7 || valid + damaged == 0
      ? .utf8
      : TextEncoding(
        declared: header?["CHAR"]?.asciiValue.uppercased(), in: header?["CHAR"]?.lineNumber,
        valid: valid, damaged: damaged, &diagnostics)
    for index in records.indices {
      records[index].decode(encoding, isVersion7: isVersion7, &diagnostics)
    }
    try check(&diagnostics)
  }

  private mutating func append(
    _ line: GedcomLine, _ number: Int, _ diagnostics: inout Diagnostics
  ) {
    close(downTo: line.level)
    if line.level > 0 {
      guard let parent = open.last?.line.level else {
        diagnostics.warn(number, "a line of level \(line.level) before any of level 0; left out")
        return
      }
      if line.level > parent + 1 {
        diagnostics.warn(
          number, "the level jumps from \(parent) to \(line.level); read as one below")
      }
      if line.tag == "CONC" || line.tag == "CONT" {
        if line.tag == "CONT" { open[open.count - 1].line.value.append(UInt8(ascii: "\n")) }
        open[open.count - 1].line.value += line.value
        return
      }
    }
    open.append(GedcomStructure(line, number))
  }

  /// Closes the lines at `level` and deeper: the next line is not below them.
  private mutating func close(downTo level: Int) {
    while let structure = open.last, structure.line.level >= level {
      open.removeLast()
      if structure.line.value.contains(where: { $0 >= 0x80 }) {
        let isValid = String(validating: structure.line.value, as: UTF8.self) != nil
        (valid, damaged) = isValid ? (valid + 1, damaged) : (valid, damaged + 1)
      }
      if open.isEmpty {
        records.append(structure)
      } else {
        open[open.count - 1].children.append(structure)
      }
    }
  }

  private func check(_ diagnostics: inout Diagnostics) throws(GedcomError) {
    guard records.contains(where: { $0.xref != nil || ["HEAD", "TRLR"].contains($0.tag) }) else {
      throw .noRecords
    }
    if let first = records.first, first.tag != "HEAD" {
      diagnostics.warn(first.lineNumber, "the file does not begin with `0 HEAD`")
    }
    if !records.contains(where: { $0.tag == "TRLR" }) {
      diagnostics.warn(nil, "the file does not end with `0 TRLR`: it may have been cut short")
    }
  }
}

/// A decoded value, or a pointer.
enum GedcomText {
  /// The xref that a value points to: `@I1@`, at signs included.
  ///
  /// `@#DJULIAN@` looks similar, but is none.
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
