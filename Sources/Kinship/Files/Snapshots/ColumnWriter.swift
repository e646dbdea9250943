/// The records of one type of a batch, to be written one after another.
protocol ColumnWriter: AnyObject {
  /// Says what the type is, by its next record.
  func declare(_ number: Int) -> TypeDeclaration?

  /// Encodes the next record.
  ///
  /// - Parameters:
  ///   - encoder: The encoder.
  ///   - bytes: Where its bytes are appended.
  ///   - limit: As many bytes as there may be.
  /// - Throws: `KinshipError.untranslatable`, with what is wrong; the record is passed over then.
  func encodeNext(
    by encoder: any RecordEncoder, into bytes: inout [UInt8], atMost limit: Int
  ) throws(KinshipError)
}

/// The records of a type, to be written one after another.
final class RecordColumnWriter<R: StorableRecord>: ColumnWriter {
  private let records: [R]
  private var next = 0

  init(_ records: [R]) { self.records = records }

  func declare(_ number: Int) -> TypeDeclaration? {
    next < records.count ? TypeDeclaration(of: records[next], number: number) : nil
  }

  func encodeNext(
    by encoder: any RecordEncoder, into bytes: inout [UInt8], atMost limit: Int
  ) throws(KinshipError) {
    let record = records[next]
    next += 1
    do {
      try encoder.encode(record, into: &bytes)
      if bytes.count > limit { throw RecordTooLarge(size: bytes.count, limit: limit) }
    } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }
}

/// A record takes more bytes than a file can hold of one.
struct RecordTooLarge: Error, CustomStringConvertible {
  let size: Int
  let limit: Int

  var description: String { "It takes \(size) bytes; at most \(limit) can be written." }
}

extension Record where Self: Codable {
  /// A writer of an array of the type.
  static func columnWriter(of records: any Sendable) -> (any ColumnWriter)? {
    (records as? [Self]).map { RecordColumnWriter($0) }
  }
}
