/// The records of one type of a block, as they are read one after another.
protocol ColumnReader: AnyObject {
  /// What was read.
  var run: CapturedRun { get }
  /// The ids of what was read.
  var ids: RunIDs { get }

  /// Decodes a record.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - bytes: The record's bytes.
  ///   - rank: Its place in the order of use.
  ///   - age: Its age.
  /// - Throws: `KinshipError.untranslatable`.
  func readNext(
    by reader: RecordReader, from bytes: UnsafeRawBufferPointer, rank: Int, age: Age
  ) throws(KinshipError)
}

/// The records of a type that is known, as they are read one after another.
final class RecordColumnReader<R: StorableRecord>: ColumnReader {
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

  var ids: RunIDs {
    // In place: to copy each record for its id would cost more than all else here.
    records.withUnsafeBufferPointer { records in
      RunIDs(
        [R.ID](filling: records.count) { ids, count in
          while count < records.count {
            ids.initializeElement(at: count, to: records[count].id)
            count += 1
          }
        })
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
  /// A reader of records that have the type today, and a number in the schema; `stored` says what
  /// they were when they were written.
  static func columnReader(of stored: StoredType, type: TypeNumber) -> any ColumnReader {
    RecordColumnReader<Self>(of: stored, type: type)
  }
}
