/// Encodes records in the compact form, one after another.
final class CompactRecordEncoder: RecordEncoder {
  private let table: KeyTable
  private let writer: CompactWriter
  private var isBusy = false
  /// The types that write to several nested containers in turn.
  private var interleaving: Set<ObjectIdentifier> = []

  var keys: [String] { table.keys }

  init(keys: [String], userInfo: [CodingUserInfoKey: any Sendable]) {
    table = KeyTable(keys)
    writer = CompactWriter(table, userInfo)
  }

  func encode<Value: Encodable>(_ value: Value, into bytes: inout [UInt8]) throws {
    guard !isBusy else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "the encoder is encoding another value"))
    }
    guard !table.hasRepeatedKeys else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "a key is there twice"))
    }
    isBusy = true
    defer { isBusy = false }
    try write(value)
    guard writer.output.pointee.bytes.count <= Int32.max else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "a value takes more than 2 GB"))
    }
    bytes.append(
      contentsOf: UnsafeBufferPointer(
        start: writer.output.pointee.bytes.base, count: writer.output.pointee.bytes.count))
  }

  private func write<Value: Encodable>(_ value: Value) throws {
    let type = ObjectIdentifier(Value.self)
    writer.output.pointee.isDetaching = !interleaving.isEmpty && interleaving.contains(type)
    do {
      try writer.encode(value)
      guard writer.output.pointee.isInterleaved, !writer.output.pointee.isDetaching else { return }
    } catch {
      guard writer.output.pointee.isInterleaved, !writer.output.pointee.isDetaching else {
        throw error
      }
    }
    // Written to in turn: nested containers get writers of their own, which is slower.
    interleaving.insert(type)
    writer.output.pointee.isDetaching = true
    try writer.encode(value)
  }
}
