public import Kinship

/// The column that holds a property, if their names differ.
public struct SQLColumn<R: GraphRecord>: Sendable {
  /// The property.
  public let property: any PartialKeyPath<R> & Sendable
  /// The name of the column.
  public internal(set) var name: String

  /// Maps a property to a column.
  ///
  /// The property may be computed, such as a ref made from a part of the id. In that case the
  /// column serves only for sorting and for finding referrers.
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
