/// What the first frame of a snapshot says of it.
struct SnapshotHead: Equatable, Sendable {
  /// The name of the coder.
  let coder: String
  /// When the records were captured, in milliseconds since 1970 (UTC).
  let moment: Int
  /// How many records were captured: some may not have been encodable.
  let count: Int

  init(coder: String, moment: Int, count: Int) {
    self.coder = coder
    self.moment = moment
    self.count = count
  }

  /// Reads the frame's payload.
  ///
  /// - Throws: `KinshipError.damaged`.
  init(from reader: inout ByteReader) throws(KinshipError) {
    coder = try reader.readText()
    moment = try reader.readNumber()
    count = try reader.readNumber()
  }

  /// The frame's payload.
  var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(text: coder)
    payload.append(varint: moment)
    payload.append(varint: count)
    return payload
  }
}
