import KinshipTestSupport

/// An id with one of two hashes: nearly all collide.
struct CollidingID: TestID, CustomStringConvertible {
  let number: Int

  static func numbered(_ number: Int) -> CollidingID { CollidingID(number: number) }

  func hash(into hasher: inout Hasher) { hasher.combine(number % 2) }

  var description: String { "\(number)" }
}
