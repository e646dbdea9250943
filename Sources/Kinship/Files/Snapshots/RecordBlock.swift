/// Records in a frame of a snapshot: in the order of use, of whatever types, each with its own checksum.
///
/// | field | is |
/// | --- | --- |
/// | varint | how many records were captured before the first |
/// | varint | the age in milliseconds that those of the records are counted from |
/// | varint, texts | the keys that the records' bytes refer to by position |
/// | varint | the number of records |
/// | for each record: | |
/// | varint | the number of its type |
/// | varint, zigzag | its age, from there on |
/// | varint, bytes | the record, encoded |
/// | 4 bytes | CRC-32C of the record's number, age, length and bytes |
enum RecordBlock {
  /// As many bytes as a block should hold; one with a larger record holds more.
  static let targetSize = 1 << 20

  /// Frames that hold the records of a batch.
  struct Encoded: Sendable {
    var frames: [UInt8] = []
    var frameCount = 0
    var recordCount = 0
    /// What the types of the records are.
    var declarations: [TypeDeclaration] = []
    /// Why which records are not among them.
    var failures: [KinshipError] = []
  }

  /// Encodes the records of a batch.
  ///
  /// - Parameters:
  ///   - batch: The records.
  ///   - types: The types of the schema.
  ///   - coder: The coder.
  /// - Throws: `KinshipError.notCodable`.
  static func encode(
    _ batch: RecordBatch, types: [any Record.Type], coder: any RecordCoder
  ) throws(KinshipError) -> Encoded {
    var encoded = Encoded()
    var writers: [any ColumnWriter] = []
    for column in batch.columns {
      let type = types[column.type]
      guard let type = type as? any StorableRecord.Type,
        let writer = type.columnWriter(of: column.records)
      else { throw .notCodable(type: type.recordName) }
      if let declaration = writer.declare(column.type) { encoded.declarations.append(declaration) }
      writers.append(writer)
    }
    var frames = FrameWriter()
    var block = Block(firstRank: batch.firstRank, coder: coder)
    for (position, column) in batch.order.enumerated() {
      do {
        try block.add(
          writers[column], type: batch.columns[column].type, age: batch.ages[position])
      } catch {
        encoded.failures.append(error)
        continue
      }
      if block.size >= targetSize {
        block.finish(into: &frames, &encoded)
        block = Block(firstRank: batch.firstRank + position + 1, coder: coder)
      }
    }
    block.finish(into: &frames, &encoded)
    encoded.frames = frames.bytes
    return encoded
  }

  /// A block that records are added to.
  private struct Block {
    let firstRank: Int
    let encoder: any RecordEncoder
    private var body: [UInt8] = []
    private var record: [UInt8] = []
    private var count = 0
    private var baseAge: Int?

    init(firstRank: Int, coder: any RecordCoder) {
      self.firstRank = firstRank
      encoder = coder.makeEncoder(keys: [])
    }

    var size: Int { body.count }

    mutating func add(_ writer: any ColumnWriter, type: Int, age: Int) throws(KinshipError) {
      record.removeAll(keepingCapacity: true)
      try writer.encodeNext(by: encoder, into: &record)
      let start = body.count
      let baseAge = baseAge ?? age
      self.baseAge = baseAge
      body.append(varint: type)
      body.append(varint: zigzag(age - baseAge))
      body.append(varint: record.count)
      body.append(contentsOf: record)
      let checksum = body.withUnsafeBytes {
        CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: $0[start...]))
      }
      body.append(littleEndian: checksum)
      count += 1
    }

    func finish(into frames: inout FrameWriter, _ encoded: inout Encoded) {
      if count == 0 { return }
      frames.append(SnapshotFrame.records.rawValue) { bytes in
        bytes.append(varint: firstRank)
        bytes.append(varint: baseAge ?? 0)
        bytes.append(varint: encoder.keys.count)
        for key in encoder.keys { bytes.append(text: key) }
        bytes.append(varint: count)
        bytes.append(contentsOf: body)
      }
      encoded.frameCount += 1
      encoded.recordCount += count
    }
  }

  /// A signed number as one that is small where it is near zero.
  private static func zigzag(_ value: Int) -> UInt64 {
    UInt64(bitPattern: Int64(value << 1) ^ Int64(value >> 63))
  }

  /// The number that `zigzag` made another of.
  static func unzigzag(_ value: UInt64) -> Int {
    Int(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
  }
}

/// What frames of a snapshot hold.
enum SnapshotFrame: UInt8 {
  case head = 1
  case type = 2
  case records = 3
  case missing = 4
  case lease = 5
  case footer = 6
}
