/// An id type with a value for each number.
package protocol TestID: Hashable, Sendable, Codable {
  /// The id for a number, a different one for each.
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
  package static func numbered(_ number: Int) -> Int { number }
}

extension String: TestID {
  /// A string too long to be stored in place, such as `record number 7`.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  package static func numbered(_ number: Int) -> String { "record number \(number)" }
}
