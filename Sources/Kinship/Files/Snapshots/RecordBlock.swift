/// Records in a frame of a snapshot: in recency order, of any types, each with its own checksum.
///
/// The article about the file format describes the bytes.
package enum RecordBlock {
  /// The target size of a block in bytes; one with a larger record is larger.
  static let targetSize = 1 << 18
  /// The maximum size of a record in bytes: a frame must hold it, and the block in which it is
  /// last.
  package static let largestRecord = FrameHeader.maximumLength / 2

  /// The payloads of frames that hold the records of a batch.
  struct Encoded: Sendable {
    var payloads: [[UInt8]] = []
    var recordCount = 0
    /// The declarations of the records' types.
    var declarations: [TypeDeclaration] = []
    /// The errors of the records that were left out.
    var failures: [KinshipError] = []
  }

  /// Encodes the records of a batch.
  ///
  /// - Parameters:
  ///   - batch: The records.
  ///   - types: The types of the schema.
  ///   - coder: The coder.
  /// - Returns: The payloads, and the errors of the records that could not be encoded.
  /// - Throws: `KinshipError.notCodable`.
  static func encode(
    _ batch: RecordBatch, types: [any GraphRecord.Type], coder: any RecordCoder
  ) throws(KinshipError) -> Encoded {
    var encoded = Encoded()
    var writers: [any ColumnWriter] = []
    for run in batch.runs {
      guard let type = types[run.type] as? any StorableRecord.Type,
        let writer = type.columnWriter(of: run)
      else { throw .notCodable(type: types[run.type].recordName) }
      // One is enough for all runs of a type: finding the names of the fields takes as long as
      // encoding ten records.
      if !encoded.declarations.contains(where: { $0.number == run.type.index }),
        let declaration = writer.declaration
      {
        encoded.declarations.append(declaration)
      }
      writers.append(writer)
    }
    var block = Block(coder: coder)
    for run in batch.order {
      do {
        try block.add(writers[run])
      } catch {
        encoded.failures.append(error)
      }
      if block.size >= targetSize {
        block.finish(into: &encoded)
        block = Block(coder: coder)
      }
    }
    block.finish(into: &encoded)
    return encoded
  }

  /// A block while records are added.
  private struct Block {
    let encoder: any RecordEncoder
    private var body = Body()
    private var record: [UInt8] = []

    init(coder: any RecordCoder) {
      encoder = coder.makeEncoder(keys: [])
    }

    var size: Int { body.size }

    mutating func add(_ writer: any ColumnWriter) throws(KinshipError) {
      record.removeAll(keepingCapacity: true)
      let place = try writer.encodeNext(by: encoder, into: &record, atMost: largestRecord)
      body.append(record, type: writer.type.index, rank: place.rank, age: place.age)
    }

    func finish(into encoded: inout Encoded) {
      if body.count == 0 { return }
      encoded.payloads.append(body.payload(keys: encoder.keys))
      encoded.recordCount += body.count
    }
  }

  /// Maps signed numbers near zero to small unsigned ones.
  static func zigzag(_ value: Int) -> UInt64 {
    UInt64(bitPattern: Int64(value << 1) ^ Int64(value >> 63))
  }

  /// Reverses `zigzag`.
  package static func unzigzag(_ value: UInt64) -> Int {
    Int(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
  }
}
