/// What the last frame of a snapshot says: how much came before it.
struct SnapshotFooter: Equatable, Sendable {
  var records = 0
  var missing = 0
  var leases = 0

  init() {}

  /// Reads the frame's payload.
  ///
  /// - Throws: `KinshipError.damaged`.
  init(from reader: inout ByteReader) throws(KinshipError) {
    records = try reader.readNumber()
    missing = try reader.readNumber()
    leases = try reader.readNumber()
  }

  /// The frame's payload.
  var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(varint: records)
    payload.append(varint: missing)
    payload.append(varint: leases)
    return payload
  }
}
