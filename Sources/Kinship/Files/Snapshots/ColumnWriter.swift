/// Encodes the records of a run one after another.
protocol ColumnWriter: AnyObject {
  /// The number of their type.
  var type: TypeNumber { get }
  /// The declaration of their type for the file; `nil` if there are no records.
  var declaration: TypeDeclaration? { get }

  /// Encodes the next record.
  ///
  /// - Parameters:
  ///   - encoder: The encoder.
  ///   - bytes: The buffer to append to.
  ///   - limit: The maximum number of bytes.
  /// - Returns: Its rank and its age, in tenths of a second.
  /// - Throws: `KinshipError.untranslatable` with the cause; the record is skipped then.
  func encodeNext(
    by encoder: any RecordEncoder, into bytes: inout [UInt8], atMost limit: Int
  ) throws(KinshipError) -> (rank: Int, age: Int)
}

/// Encodes the records of a run whose type is known.
final class RecordColumnWriter<R: StorableRecord>: ColumnWriter {
  private let run: CapturedRun
  private let records: [R]
  private var next = 0

  init(_ run: CapturedRun, _ records: [R]) {
    self.run = run
    self.records = records
  }

  var type: TypeNumber { run.type }

  var declaration: TypeDeclaration? {
    guard let record = records.first else { return nil }
    return TypeDeclaration(
      of: R.self, number: type.index,
      fields: Mirror(reflecting: record).children.compactMap(\.label))
  }

  func encodeNext(
    by encoder: any RecordEncoder, into bytes: inout [UInt8], atMost limit: Int
  ) throws(KinshipError) -> (rank: Int, age: Int) {
    let record = records[next]
    defer { next += 1 }
    do {
      try encoder.encode(record, into: &bytes)
      if bytes.count > limit { throw RecordTooLarge(size: bytes.count, limit: limit) }
    } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
    return (run.ranks[next], Int(run.ages[next].tenths))
  }
}

extension GraphRecord where Self: Codable {
  /// Creates a writer for the records of a run.
  static func columnWriter(of run: CapturedRun) -> (any ColumnWriter)? {
    (run.values as? [Self]).map { RecordColumnWriter(run, $0) }
  }
}

/// An error: a record is larger than a file can hold.
struct RecordTooLarge: Error, CustomStringConvertible {
  let size: Int
  let limit: Int

  var description: String { "It takes \(size) bytes; at most \(limit) can be written." }
}
