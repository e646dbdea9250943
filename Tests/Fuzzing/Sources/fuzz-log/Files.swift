import Foundation
import FuzzingSupport

/// The segments of a store, and their hints.
struct Files {
  private static let separator: [UInt8] = [0xF6, 0xF6]
  /// A flag in the first byte of a file's description: it is a hint.
  private static let hintFlag: UInt8 = 0x80

  private var files: [String: [UInt8]] = [:]

  /// Files with a first segment only.
  init(segment: [UInt8]) { files[Self.name(1)] = segment }

  /// Reads a description.
  init(describedBy description: some Collection<UInt8>) {
    for part in Array(description).split(separator: Self.separator) {
      let number = part[part.startIndex]
      let kind: FileDescription.Kind = number & Self.hintFlag == 0 ? .log : .hint
      files[Self.name(number)] = FileDescription(kind, describedBy: part.dropFirst()).file
    }
  }

  /// Describes the files of a directory.
  static func description(of directory: URL) throws -> [UInt8] {
    var parts: [[UInt8]] = []
    for number in (1...9 as ClosedRange<UInt8>).flatMap({ [$0, $0 | hintFlag] }) {
      let url = directory.appending(path: name(number))
      guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
        continue
      }
      let kind: FileDescription.Kind = number & hintFlag == 0 ? .log : .hint
      let file = FileDescription(kind, of: Array(try Data(contentsOf: url)))
      parts.append([number] + file.description)
    }
    return Array(parts.joined(separator: separator))
  }

  /// Writes the files, and no others.
  func write(to directory: URL) throws {
    let files = FileManager.default
    if files.fileExists(atPath: directory.path(percentEncoded: false)) {
      try files.removeItem(at: directory)
    }
    try files.createDirectory(at: directory, withIntermediateDirectories: true)
    for (name, bytes) in self.files {
      try Data(bytes).write(to: directory.appending(path: name))
    }
  }

  private static func name(_ number: UInt8) -> String {
    let digits = String(number & ~hintFlag)
    let padding = String(repeating: "0", count: 10 - digits.count)
    return padding + digits + (number & hintFlag == 0 ? ".kinlog" : ".kinhint")
  }
}
