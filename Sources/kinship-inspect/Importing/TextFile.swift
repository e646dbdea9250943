import Kinship
import KinshipProgram

/// A fault in a text, and its place among the bytes, counted from 0.
struct TextFault: Error, Equatable {
  let place: Int
  let cause: String
}

/// The lines of a file, read one after another.
struct TextFile {
  private let path: String
  private let file: any OpenFile
  private let size: Int
  private var chunk: ArraySlice<UInt8> = []
  private var offset = 0
  /// The number of the line that was read last, from 1.
  private(set) var line = 0

  /// The largest number of bytes of a line, or of a row of several lines.
  static let longest = 1 << 29
  private static let chunkSize = 1 << 16

  init(_ path: String, in files: any FileSystem) throws(Failure) {
    self.path = path
    do {
      file = try files.openDirectory(parentPath(of: path)).open(fileName(of: path), .read)
      size = try file.size()
      try fill()
    } catch {
      throw Failure(.file(.failed(path: path, cause: error)), of: path)
    }
    // The mark by which some programs begin a text in UTF-8.
    if chunk.starts(with: [0xEF, 0xBB, 0xBF]) { chunk = chunk.dropFirst(3) }
  }

  var share: Double { Double(offset - chunk.count) / Double(max(1, size)) }

  private mutating func fill() throws(SystemError) {
    chunk = try file.readBytes(max(0, min(Self.chunkSize, size - offset)), at: offset)[...]
    offset += chunk.count
  }

  /// The next line with its line ending; `nil` at the end of the file.
  mutating func next() throws(Failure) -> [UInt8]? {
    var bytes: [UInt8] = []
    line += 1
    while true {
      if chunk.isEmpty {
        do { try fill() } catch {
          throw Failure(.file(.failed(path: path, cause: error)), of: path)
        }
        if chunk.isEmpty { return bytes.isEmpty ? nil : bytes }
      }
      let end = chunk.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? chunk.endIndex
      bytes += chunk[..<end]
      chunk = chunk[end...]
      if bytes.last == UInt8(ascii: "\n") { return bytes }
      if bytes.count > Self.longest {
        let fault = TextFault(place: 0, cause: "the line is longer than half a gigabyte. Split it")
        throw failure(fault, in: [], from: line)
      }
    }
  }

  /// Returns the message for a fault in a text, by line and column; `first` is the number of the
  /// first line of it.
  func failure(_ fault: TextFault, in text: [UInt8], from first: Int) -> Failure {
    let before = text.prefix(fault.place)
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = first + before.count { $0 == UInt8(ascii: "\n") }
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    return Failure(
      status: .badData, subject: "\(path):\(line):\(column)", message: fault.cause)
  }
}
