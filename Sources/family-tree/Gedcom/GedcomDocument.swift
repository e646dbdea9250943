import KinshipProgram

/// A GEDCOM file as a forest of structures, laid out flat in the order of the file.
///
/// It is flat because the file decides how deep it nests: building, walking and releasing the
/// document never recurse.
struct GedcomDocument: Sendable {
  /// A line with its continuations, and the end of the lines below it.
  struct Entry: Sendable {
    let lineNumber: Int
    /// The line with the bytes of its continuations.
    fileprivate var line: GedcomLine
    fileprivate(set) var xref: String?
    fileprivate(set) var value = ""
    /// The index after the last line below this one.
    var end: Int

    var tag: String { line.tag }
  }

  let isVersion7: Bool
  fileprivate(set) var entries: [Entry] = []

  /// The structures of level 0.
  var records: GedcomStructures {
    GedcomStructures(document: self, range: entries.startIndex..<entries.endIndex)
  }

  /// Reads a file; calls `progress` now and then with the share that is read.
  init(
    _ file: [UInt8], diagnostics: inout Diagnostics, progress: (Double) -> Void = { _ in }
  ) throws(GedcomError) {
    guard !file.isEmpty else { throw .empty }
    let text = EncodedText(file, diagnostics: &diagnostics)
    isVersion7 = text.header.isVersion7

    var open = OpenLines()
    for (number, bytes) in LineSplitter(text.bytes) {
      if number.isMultiple(of: 8_192) {
        progress(Double(bytes.startIndex - text.bytes.startIndex) / Double(text.bytes.count))
      }
      if bytes.allSatisfy({ $0 <= UInt8(ascii: " ") }) { continue }
      do throws(GedcomLine.Damage) {
        append(try GedcomLine(bytes), number, &open, &diagnostics)
      } catch {
        diagnostics.warn(number, error.message)
      }
    }
    open.close(downTo: 0, in: &entries)
    let values = entries.lazy.map(\.line.value)
    decode(text.encoding(of: values, diagnostics: &diagnostics), &diagnostics)
    try check(&diagnostics)
  }

  /// Decodes each value by itself, so that a damaged one leaves the others as they are.
  private mutating func decode(_ encoding: TextEncoding, _ diagnostics: inout Diagnostics) {
    for index in entries.indices {
      let line = entries[index].line
      let (value, xref) = (encoding.decode(line.value), line.xref.map(encoding.decode))
      (entries[index].value, entries[index].xref) = (value.text, xref?.text.readable)
      if !value.isIntact || xref?.isIntact == false {
        diagnostics.warn(
          entries[index].lineNumber, "characters that the file's encoding does not know")
      }
    }
  }

  private mutating func append(
    _ line: GedcomLine, _ number: Int, _ open: inout OpenLines, _ diagnostics: inout Diagnostics
  ) {
    open.close(downTo: line.level, in: &entries)
    if line.level > 0 {
      guard let parent = open.last else {
        diagnostics.warn(number, "a line of level \(line.level) before any of level 0; left out")
        return
      }
      if line.level > parent.level + 1 {
        diagnostics.warn(
          number, "the level jumps from \(parent.level) to \(line.level); read as one below")
      }
      if line.tag == "CONC" || line.tag == "CONT" {
        if line.tag == "CONT" { entries[parent.index].line.value.append(UInt8(ascii: "\n")) }
        entries[parent.index].line.value += line.value
        return
      }
    }
    open.append(line.level, index: entries.endIndex)
    entries.append(Entry(lineNumber: number, line: line, end: entries.endIndex + 1))
  }

  private func check(_ diagnostics: inout Diagnostics) throws(GedcomError) {
    let records = records
    guard records.contains(where: { $0.xref != nil || ["HEAD", "TRLR"].contains($0.tag) }) else {
      throw .noRecords
    }
    if let first = entries.first, first.tag != "HEAD" {
      diagnostics.warn(first.lineNumber, "the file does not begin with `0 HEAD`")
    }
    if !records.contains(where: { $0.tag == "TRLR" }) {
      diagnostics.warn(nil, "the file does not end with `0 TRLR`: it may have been cut short")
    }
  }
}

/// The lines that further lines can still go below: one a level, so never more than a hundred.
private struct OpenLines {
  private var lines: [(level: Int, index: Int)] = []

  var last: (level: Int, index: Int)? { lines.last }

  mutating func append(_ level: Int, index: Int) {
    lines.append((level, index))
  }

  /// Closes the lines at `level` and deeper: what comes next is not below them.
  mutating func close(downTo level: Int, in entries: inout [GedcomDocument.Entry]) {
    while let line = lines.last, line.level >= level {
      entries[line.index].end = entries.endIndex
      lines.removeLast()
    }
  }
}
