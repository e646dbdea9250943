package import Kinship

extension OpenFile {
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
