internal import Foundation

/// Writing to files that are open, through the system call that this takes.
package enum FileOutput {
  /// Writes a text to an open file; the error number if that fails.
  package static func writeAll(_ text: String, to file: Int32) -> Int32? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return nil
  }

  /// What the system says of an error number.
  package static func describe(_ error: Int32) -> String { String(cString: strerror(error)) }
}
