/// How to read and set one property of a value whose type is known where this was made.
@usableFromInline
final class Property<Root>: Sendable {
  @usableFromInline let keyPath: any PartialKeyPath<Root> & Sendable
  /// Where the property lies in a value, or -1; and how many bytes it takes.
  @usableFromInline let offset: Int
  @usableFromInline let size: Int
  @usableFromInline let value: @Sendable (Root) -> any Sendable
  /// Sets the property, if the value is of its type.
  @usableFromInline let set: @Sendable (inout Root, any Sendable) -> Void

  @inlinable
  init<Value: Sendable>(_ path: any WritableKeyPath<Root, Value> & Sendable) {
    keyPath = path
    offset = MemoryLayout<Root>.offset(of: path) ?? -1
    size = MemoryLayout<Value>.size
    value = { $0[keyPath: path] }
    set = { root, value in
      if let value = value as? Value { root[keyPath: path] = value }
    }
  }

  /// A property of which it is known at run time only whether it can be set: if not, setting does nothing.
  @usableFromInline
  init<Value: Sendable>(perhapsWritable path: any KeyPath<Root, Value> & Sendable) {
    keyPath = path
    offset = MemoryLayout<Root>.offset(of: path) ?? -1
    size = MemoryLayout<Value>.size
    value = { $0[keyPath: path] }
    set = { root, value in
      if let path = path as? WritableKeyPath<Root, Value>, let value = value as? Value {
        root[keyPath: path] = value
      }
    }
  }

  /// Whether setting it may change what lies at another offset; -1 stands for what is computed.
  @inlinable
  func mayChange(_ other: Int) -> Bool {
    offset < 0 || other < 0 || (offset..<offset + size).contains(other)
  }

  /// Whether setting it may change the identity, as far as can be told without a value.
  ///
  /// Where the identity is computed of stored properties, that is seen only when one of them is set.
  var mayChangeIdentity: Bool {
    if offset < 0 || size == MemoryLayout<Root>.size { return true }
    let name = PropertyName.of(keyPath)
    return name == "id" || name.hasPrefix("id.")
  }
}
