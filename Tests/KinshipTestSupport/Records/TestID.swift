public import Foundation

/// A type of ids that tests can count through.
public protocol TestID: Hashable, Sendable, Codable {
  /// The id that stands for a number, a different one for each.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  static func numbered(_ number: Int) -> Self
}

extension Int: TestID {
  /// The number itself.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  public static func numbered(_ number: Int) -> Int { number }
}

extension String: TestID {
  /// A string too long to be stored in place, such as `record number 7`.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  public static func numbered(_ number: Int) -> String { "record number \(number)" }
}

extension UUID: TestID {
  /// The UUID whose last eight bytes are the number.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  public static func numbered(_ number: Int) -> UUID {
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (index * 8)) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1),
        byte(0)
      ))
  }
}
