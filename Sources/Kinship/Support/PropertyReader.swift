/// Reads a property of records: a stored one in place in memory, which is faster than by its key
/// path.
@usableFromInline
struct PropertyReader<R, Value: Sendable>: Sendable {
  @usableFromInline let path: any KeyPath<R, Value> & Sendable
  /// The offset of the value in a record; `nil` if it is computed.
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
