/// Records of several types in one order, from the most recently used on.
struct RecordBatch: Sendable {
  /// The records of one type, in the order of the batch.
  struct Column: Sendable {
    /// The number of the type.
    let type: Int
    /// An array of the type.
    let records: any Sendable
  }

  /// How many records came before it.
  var firstRank: Int
  var columns: [Column]
  /// For each record, the position of its column.
  var order: [Int]
  /// For each record, in milliseconds, how long ago it was loaded or written.
  var ages: [Int]

  var count: Int { order.count }
}

/// The records of one type of a batch, to be written one after another.
protocol ColumnWriter: AnyObject {
  /// Says what the type is, by its next record.
  func declare(_ number: Int) -> TypeDeclaration?

  /// Encodes the next record.
  ///
  /// - Throws: `KinshipError.untranslatable`, with what is wrong; the record is passed over then.
  func encodeNext(by encoder: any RecordEncoder, into bytes: inout [UInt8]) throws(KinshipError)
}

/// The records of a type, to be written one after another.
final class RecordColumnWriter<R: StorableRecord>: ColumnWriter {
  private let records: [R]
  private var next = 0

  init(_ records: [R]) { self.records = records }

  func declare(_ number: Int) -> TypeDeclaration? {
    next < records.count ? TypeDeclaration(of: records[next], number: number) : nil
  }

  func encodeNext(by encoder: any RecordEncoder, into bytes: inout [UInt8]) throws(KinshipError) {
    let record = records[next]
    next += 1
    do {
      try encoder.encode(record, into: &bytes)
    } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }
}

/// The records of one type of a batch, as they are read one after another.
protocol ColumnReader: AnyObject {
  var column: RecordBatch.Column { get }

  /// Decodes a record.
  ///
  /// - Throws: `KinshipError.untranslatable`.
  func readNext(
    by reader: RecordReader, _ stored: StoredType, from bytes: UnsafeRawBufferPointer
  ) throws(KinshipError)
}

/// The records of a type, as they are read one after another.
final class RecordColumnReader<R: StorableRecord>: ColumnReader {
  private let type: Int
  private var records: [R] = []

  init(type: Int) { self.type = type }

  var column: RecordBatch.Column { RecordBatch.Column(type: type, records: records) }

  func readNext(
    by reader: RecordReader, _ stored: StoredType, from bytes: UnsafeRawBufferPointer
  ) throws(KinshipError) {
    records.append(try reader.read(R.self, stored, from: bytes))
  }
}

extension Record where Self: Codable {
  /// A writer of an array of the type.
  static func columnWriter(of records: any Sendable) -> (any ColumnWriter)? {
    (records as? [Self]).map { RecordColumnWriter($0) }
  }

  /// A reader of records that have the type today.
  static func columnReader(type: Int) -> any ColumnReader { RecordColumnReader<Self>(type: type) }
}
