/// An id with one of two hashes: nearly all collide.
public struct CollidingID: TestID, CustomStringConvertible {
  /// Which id it is.
  public let number: Int

  /// The id that stands for a number.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  public static func numbered(_ number: Int) -> CollidingID { CollidingID(number: number) }

  /// Hashes whether the number is even.
  public func hash(into hasher: inout Hasher) { hasher.combine(number % 2) }

  /// The number.
  public var description: String { "\(number)" }
}
