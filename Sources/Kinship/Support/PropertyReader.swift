/// Reads a property of records: a stored one at its place in memory, which takes less than by its
/// key path.
@usableFromInline
struct PropertyReader<R, Value: Sendable>: Sendable {
  @usableFromInline let path: any KeyPath<R, Value> & Sendable
  /// Where in a record the value lies; `nil` if it is computed.
  @usableFromInline let offset: Int?

  @inlinable
  init(_ path: any KeyPath<R, Value> & Sendable) {
    self.path = path
    offset = MemoryLayout<R>.offset(of: path)
  }

  @inlinable
  func callAsFunction(_ record: R) -> Value {
    guard let offset else { return record[keyPath: path] }
    return withUnsafeBytes(of: record) { $0.load(fromByteOffset: offset, as: Value.self) }
  }
}
