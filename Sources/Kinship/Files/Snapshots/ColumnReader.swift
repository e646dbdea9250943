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
  ///   - stored: What the record's type was, and has become.
  ///   - bytes: The record's bytes.
  ///   - rank: Its place in the order of use.
  ///   - age: Its age.
  /// - Throws: `KinshipError.untranslatable`.
  func readNext(
    by reader: RecordReader, _ stored: StoredType, from bytes: UnsafeRawBufferPointer, rank: Int,
    age: Age
  ) throws(KinshipError)
}

/// The records of a type that is known, as they are read one after another.
final class RecordColumnReader<R: StorableRecord>: ColumnReader {
  private let type: Int
  private var records: [R] = []
  private var ranks: [Int] = []
  private var ages: [Age] = []

  init(type: Int) { self.type = type }

  var run: CapturedRun { CapturedRun(type: type, values: records, ranks: ranks, ages: ages) }

  var ids: RunIDs { RunIDs(records.map(\.id)) }

  func readNext(
    by reader: RecordReader, _ stored: StoredType, from bytes: UnsafeRawBufferPointer, rank: Int,
    age: Age
  ) throws(KinshipError) {
    records.append(try reader.read(R.self, stored, from: bytes))
    ranks.append(rank)
    ages.append(age)
  }
}

extension Record where Self: Codable {
  /// A reader of records that have the type today.
  static func columnReader(type: Int) -> any ColumnReader { RecordColumnReader<Self>(type: type) }
}
