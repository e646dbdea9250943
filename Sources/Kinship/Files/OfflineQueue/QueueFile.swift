/// The contents of a queue's file, up to the last complete step.
package struct QueueFile {
  /// The types of the program that wrote it.
  package private(set) var types: [TypeDeclaration] = []
  package private(set) var entries: [QueueStep.QueuedWrite] = []
  /// The end of the last step.
  private(set) var end = 0
  /// The place of an incomplete frame at the end, if there is one.
  package private(set) var cut: FileDamage?

  package static let name = "queue"
  static let (head, step): (UInt8, UInt8) = (1, 2)

  /// Reads a file; a closure refuses types, before anything else is read.
  ///
  /// - Throws: `SystemError`; `KinshipError.file(.damaged)`, `.file(.foreign)`,
  ///   `.file(.newerFormat)` and `.file(.failed)`; the errors of the closure.
  package init(
    _ file: any OpenFile, at path: String,
    check: ([TypeDeclaration]) throws(KinshipError) -> Void = { _ in }
  ) throws {
    let size = try file.size()
    var reader = FrameReader(file, path: path, to: size, salvages: false)
    try reader.readHeader(of: .queue)
    guard let frame = try reader.next(), frame.kind == Self.head else {
      throw KinshipError.damage(to: path, at: FileHeader.size, "it declares no types")
    }
    types = try frame.read { reader throws(KinshipError) in
      var types: [TypeDeclaration] = []
      for _ in 0..<(try reader.readCount(ofAtLeast: 4)) {
        types.append(try TypeDeclaration(from: &reader))
      }
      try reader.finish()
      return types
    }
    try check(types)
    while true {
      end = reader.offset
      do throws(KinshipError) {
        guard let frame = try reader.next() else { return }
        guard frame.kind == Self.step else { throw frame.damage("a frame has an unknown kind") }
        try frame.read(QueueStep.init(from:)).apply(to: &entries)
      } catch {
        guard case .file(.damaged(let damage)) = error else { throw error }
        // Frames are written one at a time: an intact frame after this one proves that this one was
        // complete.
        var behind = FrameReader(file, path: path, from: end, to: size, salvages: true)
        while let frame = try behind.next() {
          if !frame.isDamaged { throw error }
        }
        cut = damage
        return
      }
    }
  }
}

/// An atomic change to a queue: some writes leave it, others are added or replaced.
package struct QueueStep: Equatable {
  /// A write, encoded.
  package struct QueuedWrite: Equatable {
    let key: ChangeKey
    package let bytes: [UInt8]
  }

  /// The keys of the writes that leave; a key may name a write that has left already.
  var removed: Set<ChangeKey> = []
  /// The writes that are written: each replaces one with the same key, or is appended.
  var written: [QueuedWrite] = []

  var isEmpty: Bool { removed.isEmpty && written.isEmpty }

  /// Applies the step.
  func apply(to entries: inout [QueuedWrite]) {
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
  /// - Throws: `KinshipError.file(.damaged)`.
  init(from reader: inout ByteReader) throws(KinshipError) {
    for _ in 0..<(try reader.readCount(ofAtLeast: 16)) {
      removed.insert(try ChangeKey(from: &reader))
    }
    for _ in 0..<(try reader.readCount(ofAtLeast: 17)) {
      let key = try ChangeKey(from: &reader)
      written.append(QueuedWrite(key: key, bytes: Array(try reader.read(try reader.readCount()))))
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
