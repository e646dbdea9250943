/// Records in a frame of a snapshot: in the order of use, of whatever types, each with its own
/// checksum.
///
/// The article about the format of files says what they consist of.
package enum RecordBlock {
  /// As many bytes as a block should hold; one with a larger record holds more.
  static let targetSize = 1 << 18
  /// As many bytes as a record may take: a frame must hold it, and the block that it comes last in.
  package static let largestRecord = FrameHeader.maximumLength / 2

  /// The payloads of frames that hold the records of a batch.
  struct Encoded: Sendable {
    var payloads: [[UInt8]] = []
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
  /// - Returns: The payloads, with what could not be encoded.
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
      // One is enough for all runs of a type: to name the fields takes as long as to encode ten
      // records.
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

  /// A block that records are added to.
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

  /// A signed number as one that is small where it is near zero.
  static func zigzag(_ value: Int) -> UInt64 {
    UInt64(bitPattern: Int64(value << 1) ^ Int64(value >> 63))
  }

  /// The number that `zigzag` made another of.
  package static func unzigzag(_ value: UInt64) -> Int {
    Int(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
  }
}
