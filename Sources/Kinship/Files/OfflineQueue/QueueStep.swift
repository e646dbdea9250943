/// An atomic change to a queue: some writes leave it, others are added or replaced.
package struct QueueStep: Equatable {
  /// A write, encoded.
  package struct Entry: Equatable {
    let key: ChangeKey
    package let bytes: [UInt8]
  }

  /// The keys of the writes that leave; a key may name a write that has left already.
  var removed: Set<ChangeKey> = []
  /// The writes that are written: each replaces one with the same key, or is appended.
  var written: [Entry] = []

  var isEmpty: Bool { removed.isEmpty && written.isEmpty }

  /// Applies the step.
  func apply(to entries: inout [Entry]) {
    entries.removeAll { removed.contains($0.key) }
    for entry in written {
      if let index = entries.firstIndex(where: { $0.key == entry.key }) {
        entries[index] = entry
      } else {
        entries.append(entry)
      }
    }
  }
}

extension QueueStep {
  /// The payload of the step's frame.
  var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(varint: removed.count)
    for key in removed { payload.append(key) }
    payload.append(varint: written.count)
    for entry in written {
      payload.append(entry.key)
      payload.append(varint: entry.bytes.count)
      payload += entry.bytes
    }
    return payload
  }

  /// Reads the payload of a step's frame.
  ///
  /// - Throws: `KinshipError.damaged`.
  init(from reader: inout ByteReader) throws(KinshipError) {
    for _ in 0..<(try reader.readCount(ofAtLeast: 16)) {
      removed.insert(try ChangeKey(from: &reader))
    }
    for _ in 0..<(try reader.readCount(ofAtLeast: 17)) {
      let key = try ChangeKey(from: &reader)
      written.append(Entry(key: key, bytes: Array(try reader.read(try reader.readCount()))))
    }
    try reader.finish()
  }
}

extension ChangeKey {
  fileprivate init(from reader: inout ByteReader) throws(KinshipError) {
    let high = try reader.read(UInt64.self)
    self.init(high: high, low: try reader.read(UInt64.self))
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ key: ChangeKey) {
    append(littleEndian: key.bits.high)
    append(littleEndian: key.bits.low)
  }
}
