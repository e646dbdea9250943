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
    /// The payloads, each with the number of its records.
    var payloads: [(payload: [UInt8], count: Int)] = []
    /// The declarations of the records' types.
    var declarations: [TypeDeclaration] = []
    /// The errors of the records that were left out.
    var failures: [KinshipError] = []
  }

  /// Encodes the records of a batch.
  static func encode(
    _ batch: RecordBatch, types: [any GraphRecord.Type], coder: any RecordCoder
  ) throws(KinshipError) -> Encoded {
    var encoded = Encoded()
    var columns: [Column] = []
    for run in batch.runs {
      guard let type = types[run.type] as? any StorableRecord.Type,
        let column = type.column(of: run)
      else { throw .invalidSchema(.notCodable(type: types[run.type].recordName)) }
      // One is enough for all runs of a type: finding the names of the fields takes as long as
      // encoding ten records.
      if !encoded.declarations.contains(where: { $0.number == run.type.index }),
        let declaration = column.declaration
      {
        encoded.declarations.append(declaration)
      }
      columns.append(column)
    }
    var block = Block(coder: coder)
    for run in batch.order {
      do {
        try block.add(&columns[run])
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

  /// The records of a run, which are encoded one after another.
  fileprivate struct Column {
    let run: CapturedRun
    /// The declaration of their type for the file; `nil` if there are no records.
    let declaration: TypeDeclaration?
    /// Encodes a record, by its index; throws `KinshipError.untranslatable` with the cause.
    let encode: (Int, any RecordEncoder, inout [UInt8]) throws(KinshipError) -> Void
    var next = 0
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

    /// Adds the next record of a column.
    mutating func add(_ column: inout Column) throws(KinshipError) {
      let (run, index) = (column.run, column.next)
      column.next += 1
      record.removeAll(keepingCapacity: true)
      try column.encode(index, encoder, &record)
      body.append(
        record, type: run.type.index, rank: run.ranks[index], age: Int(run.ages[index].tenths))
    }

    func finish(into encoded: inout Encoded) {
      if body.count == 0 { return }
      encoded.payloads.append((body.payload(keys: encoder.keys), body.count))
    }
  }
}

extension GraphRecord where Self: Codable {
  /// Prepares the records of a run for encoding.
  fileprivate static func column(of run: CapturedRun) -> RecordBlock.Column? {
    guard let records = run.values as? [Self] else { return nil }
    let declaration = records.first.map { record in
      TypeDeclaration(
        of: Self.self, number: run.type.index,
        fields: Mirror(reflecting: record).children.compactMap(\.label))
    }
    return RecordBlock.Column(run: run, declaration: declaration) {
      index, encoder, bytes throws(KinshipError) in
      let record = records[index]
      do {
        try encoder.encode(record, into: &bytes)
        let limit = RecordBlock.largestRecord
        if bytes.count > limit { throw RecordTooLarge(size: bytes.count, limit: limit) }
      } catch {
        throw .untranslatable(
          type: recordName, id: record.id, field: CodingPath.of(error), cause: error)
      }
    }
  }
}

/// An error: a record is larger than a file can hold.
private struct RecordTooLarge: Error, CustomStringConvertible {
  let size: Int
  let limit: Int

  var description: String {
    "it takes \(size) bytes, and at most \(limit) can be written. Split the record."
  }
}
