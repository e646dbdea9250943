import KinshipProgram

/// The rows of a file of comma-separated values (RFC 4180), read one after another.
struct CSVFile {
  /// A field of a row; `nil` if it is empty, without even quotation marks.
  typealias Field = String?

  /// A row, with the positions of its fields for messages.
  struct Row {
    let fields: [Field]
    fileprivate let places: [Int]
    fileprivate let bytes: [UInt8]
    fileprivate let line: Int
  }

  private var file: TextFile
  let head: [String]

  /// Opens a file, and reads its first row: the names of its columns.
  init(_ file: TextFile) throws(Failure) {
    self.file = file
    guard let row = try Self.row(of: &self.file) else {
      throw file.failure(
        TextFault(place: 0, cause: "there are no columns. The first line must name them"), in: [],
        from: 1)
    }
    head = row.fields.map { $0 ?? "" }
    for (column, name) in head.enumerated() {
      if name.isEmpty { throw failure("a column has no name", of: row, column) }
      if head[..<column].contains(name) {
        throw failure("two columns have the same name", of: row, column)
      }
    }
  }

  var share: Double { file.share }

  var columns: String { head.map(\.readable).joined(separator: ", ") }

  /// The next row; `nil` at the end.
  mutating func next() throws(Failure) -> Row? {
    guard let row = try Self.row(of: &file) else { return nil }
    guard row.fields.count == head.count else {
      throw failure(
        "the row has \(row.fields.count.counted("field")), and the first one \(head.count)",
        of: row, 0)
    }
    return row
  }

  func failure(_ cause: String, of row: Row, _ column: Int) -> Failure {
    file.failure(TextFault(place: row.places[column], cause: cause), in: row.bytes, from: row.line)
  }

  private static func row(of file: inout TextFile) throws(Failure) -> Row? {
    guard var bytes = try file.next() else { return nil }
    let line = file.line
    // Quotation marks come in pairs: a line with an odd one ends within a field.
    var isOdd = bytes.hasOddMarks
    while isOdd, bytes.count <= TextFile.longest, let more = try file.next() {
      bytes += more
      isOdd = isOdd != more.hasOddMarks
    }
    do { return try parse(bytes, line) } catch { throw file.failure(error, in: bytes, from: line) }
  }

  private static func parse(_ bytes: [UInt8], _ line: Int) throws(TextFault) -> Row {
    let (mark, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
    var content = bytes[...]
    if content.last == UInt8(ascii: "\n") { content.removeLast() }
    if content.last == UInt8(ascii: "\r") { content.removeLast() }
    var (fields, places, place): ([Field], [Int], Int) = ([], [], 0)
    while true {
      let start = place
      var field: [UInt8] = []
      let isQuoted = place < content.count && content[place] == mark
      if isQuoted {
        place += 1
        while true {
          guard place < content.count else {
            throw TextFault(place: start, cause: "the field that begins here has no end")
          }
          if content[place] != mark {
            field.append(content[place])
          } else if place + 1 < content.count, content[place + 1] == mark {
            field.append(mark)
            place += 1
          } else {
            break
          }
          place += 1
        }
        place += 1
        guard place == content.count || content[place] == comma else {
          throw TextFault(place: place, cause: "there should be a comma or the end of the row")
        }
      } else {
        while place < content.count, content[place] != comma {
          if content[place] == mark {
            throw TextFault(place: place, cause: "a quotation mark has to begin the field")
          }
          field.append(content[place])
          place += 1
        }
      }
      guard let text = String(validating: field, as: UTF8.self) else {
        throw TextFault(place: start, cause: "the field is not in UTF-8")
      }
      fields.append(isQuoted || !text.isEmpty ? text : nil)
      places.append(start)
      if place == content.count { break }
      place += 1
    }
    return Row(fields: fields, places: places, bytes: bytes, line: line)
  }
}

extension [UInt8] {
  fileprivate var hasOddMarks: Bool { !count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2) }
}
