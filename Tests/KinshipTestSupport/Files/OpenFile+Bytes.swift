package import Kinship

extension OpenFile {
  /// Writes all of some bytes.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes { bytes in
      do throws(SystemError) { try write(bytes, at: offset) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Reads up to a number of bytes.
  package func bytes(_ count: Int, at offset: Int = 0) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
      do throws(SystemError) {
        count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}
