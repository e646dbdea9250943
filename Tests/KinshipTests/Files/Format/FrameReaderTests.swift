import KinshipTestSupport
import Testing

@testable import Kinship

struct FrameReaderTests {
  /// The reader searches in steps of 64 KiB: the header may be within one or across two.
  @Test(arguments: [0, 1, 2])
  func `a frame is found after damage of any length`(steps: Int) throws {
    let step = 1 << 16
    for start in try Effort().some(of: max(1, steps * step - 20)...steps * step + 20) {
      let payload: [UInt8] = [1, 2, 3]
      let header = FrameHeader(kind: 7, of: payload).bytes(at: start)
      let bytes = [UInt8](repeating: 0xFF, count: start) + header + payload
      let disk = SimulatedDisk()
      disk.put(bytes, "file", in: "/d")
      let file = try disk.openDirectory("/d").open("file", .read)
      var reader = FrameReader(file, path: "/d/file", to: bytes.count, salvages: true)
      let frame = try reader.next()
      try verifyEqual(frame?.payloadOffset, start + FrameHeader.size, "the frame at \(start)")
      try verifyEqual(frame?.payload, payload, "the payload of the frame at \(start)")
      try verifyEqual(reader.failures.count, 1, "the failures before the frame at \(start)")
      let end = try reader.next()
      try verify(end == nil, "there is another frame behind \(start)")
    }
  }
}
