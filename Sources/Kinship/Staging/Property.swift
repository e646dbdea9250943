/// How to read and set one property of a value whose type is known where this was made.
@usableFromInline
final class Property<Root>: Sendable {
  @usableFromInline let keyPath: any PartialKeyPath<Root> & Sendable
  @usableFromInline let valueType: Any.Type
  /// How many bytes the property takes.
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

  /// A property of which it is known at run time only whether it can be set: if not, setting does
  /// nothing.
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

  /// Where the property lies in a value, or -1.
  var offset: Int { MemoryLayout<Root>.offset(of: keyPath) ?? -1 }

  /// Whether setting it may change what lies at another offset; -1 stands for what is computed.
  func mayChange(_ other: Int) -> Bool {
    let offset = offset
    return offset < 0 || other < 0 || (offset..<offset + size).contains(other)
  }

  /// Whether setting it may change the identity, as far as can be told without a value.
  ///
  /// Where the identity is computed of stored properties, that is seen only when one of them is
  /// set.
  var mayChangeIdentity: Bool {
    if offset < 0 || size == MemoryLayout<Root>.size { return true }
    let name = PropertyName.of(keyPath)
    return name == "id" || name.hasPrefix("id.")
  }
}
