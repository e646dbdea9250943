/// The last frame of a snapshot: the amount of data before it.
package struct SnapshotFooter: Equatable, Sendable {
  package var records = 0
  package var missing = 0
  package var leases = 0

  package init() {}

  /// Reads the frame's payload.
  ///
  /// - Throws: `KinshipError.damaged`.
  package init(from reader: inout ByteReader) throws(KinshipError) {
    records = try reader.readNumber()
    missing = try reader.readNumber()
    leases = try reader.readNumber()
  }

  /// The frame's payload.
  package var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(varint: records)
    payload.append(varint: missing)
    payload.append(varint: leases)
    return payload
  }
}
