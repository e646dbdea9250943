/// An entry of a commit: a record that was put, or one that was deleted.
///
/// | part | is |
/// | --- | --- |
/// | 1 byte | 1 for put, 2 for deleted |
/// | varint | the number of the type |
/// | bytes | the id: a byte that says how it is encoded, and the rest (``IDCoding``) |
/// | varint, bytes | the record, by its coder: put only |
/// | 4 bytes | CRC-32C of all before: put only |
///
/// A put record is read by its position alone: so it says which it is, and proves itself.
struct LogEntry {
  enum Kind: UInt8 {
    case put = 1
    case deleted = 2
  }

  static let minimumSize = 4

  let kind: Kind
  let type: Int
  let id: UnsafeRawBufferPointer
  /// The record's bytes; none if it was deleted.
  let record: UnsafeRawBufferPointer

  /// Reads an entry.
  ///
  /// - Parameters:
  ///   - reader: Reads its bytes.
  ///   - isChecking: Whether the bytes have to prove themselves, as no checksum around them did.
  /// - Throws: `KinshipError.damaged`.
  init(from reader: inout ByteReader, checking isChecking: Bool) throws(KinshipError) {
    let start = reader.offset
    guard let kind = Kind(rawValue: try reader.read(UInt8.self)) else {
      throw reader.damage("an entry is of no known kind")
    }
    self.kind = kind
    type = try reader.readNumber()
    let idStart = reader.offset
    try IDForm.skip(&reader)
    id = reader.bytes(from: idStart)
    guard kind == .put else {
      record = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    record = try reader.read(try reader.readCount())
    let bytes = reader.bytes(from: start)
    let checksum = try reader.read(UInt32.self)
    if isChecking, checksum != CRC32C.checksum(of: bytes) {
      throw reader.damage("the checksum of a record is wrong")
    }
  }

  /// Appends an entry.
  static func append(
    _ kind: Kind, type: Int, id: [UInt8], record: [UInt8],
    to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    bytes.append(kind.rawValue)
    bytes.append(varint: type)
    bytes.append(contentsOf: id)
    guard kind == .put else { return }
    bytes.append(varint: record.count)
    bytes.append(contentsOf: record)
    let checksum = bytes.withUnsafeBytes { bytes in
      CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
    bytes.append(littleEndian: checksum)
  }
}
