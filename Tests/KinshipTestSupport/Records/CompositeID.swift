/// An id of several parts, as a table with a composite key has.
public struct CompositeID: TestID, CustomStringConvertible {
  /// The first part.
  public let parish: String

  /// The second part.
  public let entry: Int

  /// Creates an id.
  ///
  /// - Parameters:
  ///   - parish: The first part.
  ///   - entry: The second part.
  public init(parish: String, entry: Int) {
    self.parish = parish
    self.entry = entry
  }

  /// The id of a number, of which neither part alone tells the number.
  ///
  /// - Parameter number: The number.
  /// - Returns: Its id.
  public static func numbered(_ number: Int) -> CompositeID {
    CompositeID(parish: number.isMultiple(of: 2) ? "north" : "south", entry: number >> 1)
  }

  /// Both parts, such as `north/3`.
  public var description: String { "\(parish)/\(entry)" }
}
