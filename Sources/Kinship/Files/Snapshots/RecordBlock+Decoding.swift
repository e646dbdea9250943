extension RecordBlock {
  /// The result of decoding a block.
  struct Decoded: Sendable {
    let batch: RecordBatch
    /// The ids of each run's records.
    let ids: [RunIDs]
    /// The number of records whose type was removed.
    let removed: Int
    /// The errors of the records that are missing.
    let failures: [KinshipError]
  }

  /// The state that is needed to read the blocks of a file.
  struct Context: Sendable {
    let path: String
    var coder: any RecordCoder
    /// The types, by their numbers in the file.
    var types: [Int: StoredType]
    /// Whether to skip damage and read the intact parts.
    let salvages: Bool
  }

  /// Decodes the records of a block.
  ///
  /// - Parameters:
  ///   - frame: The frame. If it is damaged, each record's own checksum is verified.
  ///   - context: The context.
  /// - Returns: The records that could be decoded.
  /// - Throws: `KinshipError.damaged` and `.untranslatable`; nothing in a salvage.
  static func decode(_ frame: Frame, _ context: Context) throws(KinshipError) -> Decoded {
    var decoding = Decoding(context, checksRecords: frame.isDamaged)
    do throws(KinshipError) {
      try frame.payload.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
        var reader = ByteReader(bytes, of: context.path, at: frame.payloadOffset)
        try decoding.readBlock(&reader)
      }
    } catch {
      try decoding.fail(error)
    }
    return decoding.result
  }

  /// A block that is being decoded.
  private struct Decoding {
    let context: Context
    let checksRecords: Bool
    private var firstRank = 0
    private var failures: [KinshipError] = []
    private var removed = 0
    private var count = 0
    private var readers: [any ColumnReader] = []
    /// The columns, by the number of the type in the file; `nil` for a removed type.
    private var columns: [Int: (any ColumnReader)?] = [:]
    /// The column of the previous record, which most often is that of the next one too.
    private var last: (number: Int, column: (any ColumnReader)?)?

    init(_ context: Context, checksRecords: Bool) {
      self.context = context
      self.checksRecords = checksRecords
    }

    var result: Decoded {
      Decoded(
        batch: RecordBatch(runs: readers.map(\.run)), ids: readers.map(\.ids), removed: removed,
        failures: failures)
    }

    /// Records an error in a salvage; throws it otherwise.
    mutating func fail(_ error: KinshipError) throws(KinshipError) {
      if !context.salvages { throw error }
      failures.append(error)
    }

    mutating func readBlock(_ reader: inout ByteReader) throws(KinshipError) {
      if checksRecords { try fail(reader.damage("the checksum of a frame is wrong")) }
      let head = try Head(from: &reader)
      firstRank = head.firstRank
      let records = RecordReader(coder: context.coder, keys: head.keys)
      for _ in 0..<head.count {
        try readRecord(&reader, in: head, by: records)
      }
      try reader.finish()
    }

    private mutating func readRecord(
      _ reader: inout ByteReader, in head: Head, by records: RecordReader
    ) throws(KinshipError) {
      let entry = try Entry(from: &reader, in: head, isChecked: checksRecords)
      guard entry.isWhole else {
        // Its lengths may be wrong too; then the following bytes will not match either.
        return try fail(reader.damage("the checksum of a record that ends here is wrong"))
      }
      let number = entry.type
      do throws(KinshipError) {
        if last?.number != number { last = (number, try column(number, reader)) }
        guard let column = last?.column else {
          removed += 1
          return
        }
        try column.readNext(
          by: records, from: entry.record, rank: firstRank + count,
          age: Age(tenths: UInt32(clamping: entry.age)))
        count += 1
      } catch {
        try fail(error)
      }
    }

    /// The column of a type; `nil` if the type was removed.
    private mutating func column(
      _ number: Int, _ reader: ByteReader
    ) throws(KinshipError) -> (any ColumnReader)? {
      if let known = columns[number] { return known }
      guard let stored = context.types[number] else {
        throw reader.damage("a record has a type that was not declared")
      }
      let column = stored.number.flatMap { stored.type?.columnReader(of: stored, type: $0) }
      columns[number] = .some(column)
      if let column { readers.append(column) }
      return column
    }
  }
}
