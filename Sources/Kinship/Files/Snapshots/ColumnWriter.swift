/// The records of a run, to be written one after another.
protocol ColumnWriter: AnyObject {
  /// The number of their type.
  var type: TypeNumber { get }
  /// What the file is to say of their type; `nil` if there are none.
  var declaration: TypeDeclaration? { get }

  /// Encodes the next record.
  ///
  /// - Parameters:
  ///   - encoder: The encoder.
  ///   - bytes: Where its bytes are appended.
  ///   - limit: As many bytes as there may be.
  /// - Returns: Its rank and its age, in tenths of a second.
  /// - Throws: `KinshipError.untranslatable`, with what is wrong; the record is passed over then.
  func encodeNext(
    by encoder: any RecordEncoder, into bytes: inout [UInt8], atMost limit: Int
  ) throws(KinshipError) -> (rank: Int, age: Int)
}

/// The records of a run whose type is known, to be written one after another.
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
  /// A writer of the records of a run.
  static func columnWriter(of run: CapturedRun) -> (any ColumnWriter)? {
    (run.values as? [Self]).map { RecordColumnWriter(run, $0) }
  }
}

/// A record takes more bytes than a file can hold of one.
struct RecordTooLarge: Error, CustomStringConvertible {
  let size: Int
  let limit: Int

  var description: String { "It takes \(size) bytes; at most \(limit) can be written." }
}
