/// A file that could not be written, with the reason.
struct OutputError: Error, CustomStringConvertible {
  let path: String
  let cause: String

  var description: String { "\(path) cannot be written: \(cause). Choose another path." }
}
