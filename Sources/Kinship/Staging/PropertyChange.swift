/// A new value for one property of a record.
public struct PropertyChange<R>: Sendable {
  @usableFromInline let property: Property<R>
  /// The new value.
  public let value: any Sendable

  @inlinable
  init(_ property: Property<R>, to value: any Sendable) {
    self.property = property
    self.value = value
  }

  /// Creates a change of a property to a new value.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - value: Its new value.
  /// - Returns: The change.
  @inlinable
  public static func set<Value: Sendable>(
    _ path: any WritableKeyPath<R, Value> & Sendable, to value: Value
  ) -> PropertyChange { PropertyChange(Property(path), to: value) }

  /// The property.
  public var keyPath: any PartialKeyPath<R> & Sendable { property.keyPath }

  /// The property's name, as it is declared.
  ///
  /// - Complexity: It is found by reflection, which takes microseconds.
  public var name: String { PropertyName.of(property.keyPath) }

  /// Sets the property of a record.
  ///
  /// - Parameter record: The record to change.
  @inlinable
  public func apply(to record: inout R) { property.set(&record, value) }

  /// The same property with the value that it has in another record.
  @inlinable
  func taken(from record: R) -> PropertyChange {
    PropertyChange(property, to: property.value(record))
  }
}

/// The names of properties, as their key paths describe them.
package enum PropertyName {
  package static func of(_ keyPath: AnyKeyPath) -> String {
    let path = String(describing: keyPath)
    guard let dot = path.firstIndex(of: ".") else { return path }
    return String(path[path.index(after: dot)...])
  }
}
