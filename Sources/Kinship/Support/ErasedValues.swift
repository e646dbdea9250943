/// Values by keys that determine the type of each value.
@usableFromInline
package struct ErasedValues<Key: Hashable & Sendable>: Sendable {
  private var values: [Key: any Sendable] = [:]

  package init() {}

  var keys: some Sequence<Key> { values.keys }

  /// Returns a value as an erased type.
  subscript(key: Key) -> (any Sendable)? { values[key] }

  /// Changes a value in place by a closure that knows its type, if there is one.
  mutating func change(
    _ key: Key, _ body: (inout any Sendable) -> any Sendable
  ) -> any Sendable {
    guard let index = values.index(forKey: key) else { return () }
    return body(&values.values[index])
  }

  package func value<Value: Sendable>(_ key: Key, as type: Value.Type) -> Value? {
    values[key].map { checked($0, as: type) }
  }

  /// Changes a value in place; if there is none, it starts with `initial`.
  package mutating func change<Value: Sendable, Result>(
    _ key: Key, from initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
  ) -> Result {
    guard let index = values.index(forKey: key) else {
      var value = initial()
      defer { values[key] = value }
      return body(&value)
    }
    // Take it out: only one reference may be left, or its contents would be copied.
    var erased: any Sendable = ()
    swap(&erased, &values.values[index])
    var value = checked(consume erased, as: Value.self)
    defer { values.values[index] = value }
    return body(&value)
  }

  mutating func removeAll() { values = [:] }
}

/// Returns a value of an erased type as its known type: the only way back.
///
/// Any other type would be a bug in the library, which must not pass for an empty answer.
@inlinable
func checked<Value>(_ value: any Sendable, as type: Value.Type) -> Value {
  func known<Stored>(_ value: Stored) -> Value? {
    // A cast would take longer: see `kinship-bench oo7 --only insert`.
    Stored.self == Value.self ? identical(value, as: Value.self) : value as? Value
  }
  guard let known = known(value) else { failMixedTypes(value, Value.self) }
  return known
}

@usableFromInline
@inline(never)
package func failMixedTypes(_ value: any Sendable, _ type: Any.Type) -> Never {
  preconditionFailure("\(Swift.type(of: value)) in place of \(type)")
}

/// An id of any type that stays `Sendable`.
struct ErasedID: Hashable, Sendable {
  let id: any Hashable & Sendable

  init(_ id: any Hashable & Sendable) { self.id = id }

  // `AnyHashable` would take longer, because it makes values of different types equal: see
  // `kinship-bench views --only view-change`.
  static func == (lhs: ErasedID, rhs: ErasedID) -> Bool {
    func isEqual<Left: Hashable, Right>(_ left: Left, _ right: Right) -> Bool {
      Left.self == Right.self && left == identical(right, as: Left.self)
    }
    return isEqual(lhs.id, rhs.id)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
