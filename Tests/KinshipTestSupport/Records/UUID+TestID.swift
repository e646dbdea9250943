package import Foundation
import KinshipTesting

extension UUID: TestID {
  /// The UUID whose last eight bytes are the number.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  package static func numbered(_ number: Int) -> UUID {
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (index * 8)) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1),
        byte(0)
      ))
  }
}
