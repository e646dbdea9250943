extension RecordBlock {
  /// The result of decoding a block.
  struct Decoded: Sendable {
    let batch: RecordBatch
    /// The ids of each run's records.
    let ids: [IDs]
    /// The number of records whose type was removed.
    let removed: Int
    /// The errors of the records that are missing.
    let failures: [KinshipError]
  }

  /// The state that is needed to read the blocks of a file.
  struct Context: Sendable {
    var coder: any RecordCoder
    /// The types, by their numbers in the file.
    var types: [Int: StoredType]
    /// Whether to skip damage and read the intact parts.
    let salvages: Bool
  }

  /// Decodes the records of a block.
  ///
  /// If the frame is damaged, each record's own checksum is verified.
  ///
  /// - Returns: The records that could be decoded.
  /// - Throws: `KinshipError.file(.damaged)` and `.untranslatable`; nothing in a salvage.
  static func decode(_ frame: Frame, _ context: Context) throws(KinshipError) -> Decoded {
    var decoding = Decoding(context, checksRecords: frame.isDamaged)
    do throws(KinshipError) {
      try frame.read { reader throws(KinshipError) in try decoding.readBlock(&reader) }
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
      let entry = try EncodedRecord(from: &reader, in: head, isChecked: checksRecords)
      guard entry.isIntact else {
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

/// Decodes the records of one type in a block, one after another.
private protocol ColumnReader: AnyObject {
  /// The decoded records.
  var run: CapturedRun { get }
  /// The ids of the decoded records.
  var ids: IDs { get }

  /// Decodes a record with its rank in the recency order and its age.
  func readNext(
    by reader: RecordReader, from bytes: UnsafeRawBufferPointer, rank: Int, age: Age
  ) throws(KinshipError)
}

/// Decodes the records of a known type, one after another.
private final class RecordColumnReader<R: StorableRecord>: ColumnReader {
  private let stored: StoredType
  private let type: TypeNumber
  private var records: [R] = []
  /// The rank and the age of each record.
  private var uses: [(rank: Int, age: Age)] = []

  init(of stored: StoredType, type: TypeNumber) {
    self.stored = stored
    self.type = type
  }

  var run: CapturedRun {
    CapturedRun(type: type, values: records, ranks: uses.map { $0.rank }, ages: uses.map { $0.age })
  }

  var ids: IDs {
    // In place: copying each record for its id would cost more than everything else here.
    records.withUnsafeBufferPointer { records in
      let ids = [R.ID](filling: records.count) { ids, count in
        while count < records.count {
          ids.initializeElement(at: count, to: records[count].id)
          count += 1
        }
      }
      return IDs(ids, of: type)
    }
  }

  func readNext(
    by reader: RecordReader, from bytes: UnsafeRawBufferPointer, rank: Int, age: Age
  ) throws(KinshipError) {
    let record = try reader.read(R.self, stored, from: bytes)
    try R.requireStable(record.id)
    records.append(record)
    uses.append((rank, age))
  }
}

extension GraphRecord where Self: Codable {
  /// Creates a reader of records with the current type and its number in the schema; `stored` is
  /// the type that they were written with.
  fileprivate static func columnReader(of stored: StoredType, type: TypeNumber) -> any ColumnReader
  {
    RecordColumnReader<Self>(of: stored, type: type)
  }
}
