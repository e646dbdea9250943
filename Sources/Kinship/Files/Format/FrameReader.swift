/// Reads the frames of a file in order, and finds the next one after damage.
package struct FrameReader {
  private let file: any OpenFile
  private let path: String
  private let size: Int
  private let salvages: Bool
  /// The offset of the next frame.
  package private(set) var offset: Int
  /// The damage that was skipped, if it is.
  package private(set) var failures: [KinshipError] = []

  /// Creates a reader of the frames from an offset on, which `salvages` if it skips damage.
  ///
  /// Errors have the path; it is that by which the file was opened, if none is given.
  package init(
    _ file: any OpenFile, path: String? = nil, from offset: Int = 0, to size: Int, salvages: Bool
  ) {
    self.file = file
    self.path = path ?? file.path
    self.offset = offset
    self.size = size
    self.salvages = salvages
  }

  /// Reads the header of the file; the first frame comes next, even if the header is damaged.
  ///
  /// - Throws: `KinshipError.file(.failed)`, and the errors of ``FileHeader``, even if damage is
  ///   skipped.
  package mutating func readHeader(of kind: FileHeader.Kind) throws(KinshipError) {
    offset = FileHeader.size
    try FileHeader.check(try read(min(FileHeader.size, size), at: 0), is: kind, path: path)
  }

  /// Returns the next frame; `nil` at the end.
  ///
  /// - Throws: `KinshipError.file(.failed)`; `.file(.damaged)` unless damage is skipped. If damage
  ///   is skipped, a damaged frame with an intact header is returned and marked as damaged.
  package mutating func next() throws(KinshipError) -> Frame? {
    while offset < size {
      let header = try read(min(FrameHeader.size, size - offset), at: offset)
      let start = offset
      guard let header = header.withUnsafeBytes({ FrameHeader($0, at: start) }) else {
        let damage = KinshipError.damage(to: path, at: offset, "a frame is missing")
        if !salvages { throw damage }
        failures.append(damage)
        offset = try nextHeader(after: start)
        continue
      }
      let payloadOffset = offset + FrameHeader.size
      let payload = try read(min(header.length, size - payloadOffset), at: payloadOffset)
      offset = payloadOffset + payload.count
      let isIntact = payload.withUnsafeBytes { header.matches($0) }
      if !isIntact, !salvages {
        let isCut = payload.count < header.length
        throw .damage(
          to: path, at: start,
          isCut ? "the file ends within a frame" : "the checksum of a frame is wrong")
      }
      return Frame(
        path: path, kind: header.kind, payloadOffset: payloadOffset, payload: payload,
        isDamaged: !isIntact, checksum: header.checksum)
    }
    return nil
  }

  /// The offset of the next header, or the end of the file.
  private func nextHeader(after start: Int) throws(KinshipError) -> Int {
    let step = 1 << 16
    var position = start + 1
    while position < size {
      let bytes = try read(min(step + FrameHeader.size, size - position), at: position)
      let found = bytes.withUnsafeBytes { bytes in
        (0..<min(step, bytes.count)).first { place in
          FrameHeader(UnsafeRawBufferPointer(rebasing: bytes[place...]), at: position + place)
            != nil
        }
      }
      if let found { return position + found }
      position += step
    }
    return size
  }

  /// Reads bytes within the size of the file.
  private func read(_ count: Int, at offset: Int) throws(KinshipError) -> [UInt8] {
    do {
      let bytes = try file.readBytes(count, at: offset)
      // Not damage: a salvage would drop bytes that merely could not be read.
      if bytes.count < count { throw SystemError(.read, path, SystemErrorCode.deviceFailed) }
      return bytes
    } catch {
      throw .file(.failed(path: path, cause: error))
    }
  }
}

extension OpenFile {
  /// The bytes from an offset on, fewer at the end of the file.
  package func readBytes(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](filling: count) { buffer, initialized in
      do throws(SystemError) {
        initialized = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// A part of a file with a kind, a length and checksums.
package struct Frame: Sendable {
  /// The path of the file.
  let path: String
  /// The kind of the payload.
  package let kind: UInt8
  /// The offset of the payload in the file.
  package let payloadOffset: Int
  package let payload: [UInt8]
  /// Whether the payload is damaged, by its checksum or its length.
  package let isDamaged: Bool
  /// The expected checksum of the payload.
  package let checksum: UInt32

  /// The offset of the frame in the file.
  package var offset: Int { payloadOffset - FrameHeader.size }

  /// Calls a closure with a reader of the payload.
  package func read<Result>(
    _ body: (inout ByteReader) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result {
    try payload.read(of: path, at: payloadOffset, body)
  }

  /// The error for a frame that should not be there, or not be as it is.
  package func damage(_ cause: String) -> KinshipError {
    .damage(to: path, at: offset, cause)
  }
}
