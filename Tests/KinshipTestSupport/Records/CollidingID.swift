/// An id with one of two hashes, so that nearly all collide.
package struct CollidingID: TestID, CustomStringConvertible {
  /// Which id it is.
  package let number: Int

  /// The id that stands for a number.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  package static func numbered(_ number: Int) -> CollidingID { CollidingID(number: number) }

  /// Hashes whether the number is even.
  package func hash(into hasher: inout Hasher) { hasher.combine(number % 2) }

  /// The number.
  package var description: String { "\(number)" }
}
