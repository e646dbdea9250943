/// A record takes more bytes than a file can hold of one.
struct RecordTooLarge: Error, CustomStringConvertible {
  let size: Int
  let limit: Int

  var description: String { "It takes \(size) bytes; at most \(limit) can be written." }
}
