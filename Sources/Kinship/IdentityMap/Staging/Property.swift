/// How to read and set one property of a value whose type is known where this was made.
@usableFromInline
final class Property<Root>: Sendable {
  @usableFromInline let keyPath: any PartialKeyPath<Root> & Sendable
  @usableFromInline let value: @Sendable (Root) -> any Sendable
  /// Sets the property, if the value is of its type.
  @usableFromInline let set: @Sendable (inout Root, any Sendable) -> Void

  @inlinable
  init<Value: Sendable>(_ path: any WritableKeyPath<Root, Value> & Sendable) {
    keyPath = path
    value = { $0[keyPath: path] }
    set = { root, value in
      if let value = value as? Value { root[keyPath: path] = value }
    }
  }
}
