/// Reads and sets one property of a value; created where the type is known.
@usableFromInline
final class Property<Root>: Sendable {
  @usableFromInline let keyPath: any PartialKeyPath<Root> & Sendable
  @usableFromInline let valueType: Any.Type
  /// The size of the property in bytes.
  @usableFromInline let size: Int
  @usableFromInline let value: @Sendable (Root) -> any Sendable
  /// Sets the property, if the value is of its type.
  @usableFromInline let set: @Sendable (inout Root, any Sendable) -> Void

  @inlinable
  init<Value: Sendable>(_ path: any WritableKeyPath<Root, Value> & Sendable) {
    keyPath = path
    valueType = Value.self
    size = MemoryLayout<Value>.size
    value = { $0[keyPath: path] }
    set = { root, value in
      if let value = value as? Value { root[keyPath: path] = value }
    }
  }

  /// A property that may or may not be settable, which is known only at run time: if not, setting
  /// does nothing.
  @usableFromInline
  init<Value: Sendable>(perhapsWritable path: any KeyPath<Root, Value> & Sendable) {
    keyPath = path
    valueType = Value.self
    size = MemoryLayout<Value>.size
    value = { $0[keyPath: path] }
    set = { root, value in
      if let path = path as? WritableKeyPath<Root, Value>, let value = value as? Value {
        root[keyPath: path] = value
      }
    }
  }

  /// The offset of the property in a value, or -1.
  var offset: Int { MemoryLayout<Root>.offset(of: keyPath) ?? -1 }

  /// Returns whether setting it may change the value at another offset; -1 stands for a computed
  /// property.
  func mayChange(_ other: Int) -> Bool {
    let offset = offset
    return offset < 0 || other < 0 || (offset..<offset + size).contains(other)
  }

  /// Whether setting it may change the identity of some value.
  ///
  /// If the identity is computed from stored properties, that is detected only when one of them is
  /// set.
  var mayChangeIdentity: Bool {
    if offset < 0 || size == MemoryLayout<Root>.size { return true }
    let name = PropertyName.of(keyPath)
    return name == "id" || name.hasPrefix("id.")
  }
}
