/// The first frame of a snapshot.
package struct SnapshotHead: Equatable, Sendable {
  /// The name of the coder.
  package let coder: String
  /// When the records were captured, in milliseconds since 1970 (UTC).
  package let moment: Int
  /// The number of captured records; some may not have been encodable.
  package let count: Int
  /// The position in a store's log up to which the records are current.
  package let cursor: StoreCursor?

  package init(coder: String, moment: Int, count: Int, cursor: StoreCursor? = nil) {
    self.coder = coder
    self.moment = moment
    self.count = count
    self.cursor = cursor
  }

  /// The version of the format that the snapshot needs.
  package var version: Int { cursor == nil ? 1 : 2 }

  /// Reads the frame's payload.
  ///
  /// - Throws: `KinshipError.damaged`.
  package init(from reader: inout ByteReader) throws(KinshipError) {
    coder = try reader.readText()
    moment = try reader.readNumber()
    count = try reader.readNumber()
    cursor = reader.isAtEnd ? nil : StoreCursor(try reader.readText())
  }

  /// The frame's payload.
  package var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(text: coder)
    payload.append(varint: moment)
    payload.append(varint: count)
    if let cursor { payload.append(text: cursor.text) }
    return payload
  }
}
