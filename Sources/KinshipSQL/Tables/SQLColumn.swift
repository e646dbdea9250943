public import Kinship

/// Which column holds a property, where they are not named alike.
public struct SQLColumn<R: GraphRecord>: Sendable {
  /// The property.
  public let property: any PartialKeyPath<R> & Sendable
  /// The name of the column.
  public internal(set) var name: String

  /// A column that holds a property.
  ///
  /// The property may be computed, such as a ref made of a part of the id: then the column is
  /// used to sort by and to find referrers only.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - name: The name of the column.
  /// - Returns: The column.
  public static func column<Value>(
    _ property: any KeyPath<R, Value> & Sendable, _ name: String
  ) -> SQLColumn {
    SQLColumn(property: property, name: name)
  }

  package var propertyName: String { PropertyName.of(property) }
}
