/// An id of several parts, as a table with a composite key has.
package struct CompositeID: TestID, CustomStringConvertible {
  /// The first part.
  package let parish: String

  /// The second part.
  package let entry: Int

  /// Creates an id.
  ///
  /// - Parameters:
  ///   - parish: The first part.
  ///   - entry: The second part.
  package init(parish: String, entry: Int) {
    self.parish = parish
    self.entry = entry
  }

  /// The id of a number.
  ///
  /// Neither part alone determines the number.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  package static func numbered(_ number: Int) -> CompositeID {
    CompositeID(parish: number.isMultiple(of: 2) ? "north" : "south", entry: number >> 1)
  }

  /// Both parts, such as `north/3`.
  package var description: String { "\(parish)/\(entry)" }
}
