/// The contents of a queue's file, up to the last complete step.
package struct QueueFile {
  /// The types of the program that wrote it.
  package private(set) var types: [TypeDeclaration] = []
  package private(set) var entries: [QueueStep.Entry] = []
  /// The end of the last step.
  private(set) var end = 0
  /// The place of an incomplete frame at the end, if there is one.
  package private(set) var cut: FileDamage?

  package static let name = "queue"
  static let (head, step): (UInt8, UInt8) = (1, 2)

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - path: Its path.
  ///   - check: Refuses types, before anything else is read.
  /// - Throws: `SystemError`; `KinshipError.damaged`, `.foreignFile`, `.newerFormat` and
  ///   `.fileFailed`; the errors of the closure.
  package init(
    _ file: any OpenFile, at path: String,
    check: ([TypeDeclaration]) throws(KinshipError) -> Void = { _ in }
  ) throws {
    let size = try file.size()
    var reader = FrameReader(file, path: path, to: size, salvages: false)
    try reader.readHeader(of: .queue)
    guard let frame = try reader.next(), frame.kind == Self.head else {
      throw KinshipError.damaged(FileDamage(file: path, offset: 16, cause: "it says no types"))
    }
    types = try frame.payload.span.bytes.withUnsafeBytes { payload throws(KinshipError) in
      var reader = ByteReader(payload, of: path, at: frame.payloadOffset)
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
        var bytes = ByteReader(UnsafeRawBufferPointer(start: nil, count: 0), of: path, at: end)
        guard frame.kind == Self.step else { throw bytes.damage("a frame is of no kind") }
        try frame.payload.span.bytes.withUnsafeBytes { payload throws(KinshipError) in
          bytes = ByteReader(payload, of: path, at: frame.payloadOffset)
          try QueueStep(from: &bytes).apply(to: &entries)
        }
      } catch {
        guard case .damaged(let damage) = error else { throw error }
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
