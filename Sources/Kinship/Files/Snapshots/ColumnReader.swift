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
  /// A reader of records that have the type today.
  static func columnReader(type: Int) -> any ColumnReader { RecordColumnReader<Self>(type: type) }
}
