/// Decodes the records of one type in a block, one after another.
protocol ColumnReader: AnyObject {
  /// The decoded records.
  var run: CapturedRun { get }
  /// The ids of the decoded records.
  var ids: RunIDs { get }

  /// Decodes a record.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - bytes: The record's bytes.
  ///   - rank: Its rank in the recency order.
  ///   - age: Its age.
  /// - Throws: `KinshipError.untranslatable`.
  func readNext(
    by reader: RecordReader, from bytes: UnsafeRawBufferPointer, rank: Int, age: Age
  ) throws(KinshipError)
}

/// Decodes the records of a known type, one after another.
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
    // In place: copying each record for its id would cost more than everything else here.
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
  /// Creates a reader of records with the current type and its number in the schema; `stored` is
  /// the type that they were written with.
  static func columnReader(of stored: StoredType, type: TypeNumber) -> any ColumnReader {
    RecordColumnReader<Self>(of: stored, type: type)
  }
}
