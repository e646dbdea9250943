/// Reads a property of records: a stored one at its place in memory, which takes less than by its
/// key path.
struct PropertyReader<R, Value: Sendable>: Sendable {
  private let path: any KeyPath<R, Value> & Sendable
  /// Where in a record the value lies; `nil` if it is computed.
  let offset: Int?

  init(_ path: any KeyPath<R, Value> & Sendable) {
    self.path = path
    offset = MemoryLayout<R>.offset(of: path)
  }

  func callAsFunction(_ record: R) -> Value {
    guard let offset else { return record[keyPath: path] }
    return withUnsafeBytes(of: record) { $0.load(fromByteOffset: offset, as: Value.self) }
  }
}
