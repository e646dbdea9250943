/// Decides whether two values of one record are news to an observer.
@usableFromInline
struct RecordComparison<Value: Sendable>: Sendable {
  /// Returns whether two values differ in the properties that count; `nil` if all count.
  @usableFromInline var differsInFilter: (@Sendable (Value, Value) -> Bool)?

  /// Returns whether two values differ, by `==` if the type is `Equatable`, otherwise by whether
  /// the record was written.
  @inlinable
  func isUpdate(_ old: Value, _ new: Value, wasWritten: Bool) -> Bool {
    Values.areEqual(old, new).map { !$0 } ?? wasWritten
  }

  /// Returns whether an update is worth an element of its own.
  @inlinable
  func counts(_ old: Value, _ new: Value) -> Bool { differsInFilter?(old, new) ?? true }
}

extension RecordComparison {
  /// A comparison of chosen properties.
  static func filter<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<Value, each Property> & Sendable
  ) -> RecordComparison {
    let differences = Self.differences(repeat each paths)
    return RecordComparison { old, new in differences.contains { $0(old, new) } }
  }

  private static func differences<each Property: Equatable & Sendable>(
    _ paths: repeat any KeyPath<Value, each Property> & Sendable
  ) -> [@Sendable (Value, Value) -> Bool] {
    var differences: [@Sendable (Value, Value) -> Bool] = []
    for path in repeat each paths { differences.append(difference(in: path)) }
    return differences
  }

  private static func difference<Property: Equatable & Sendable>(
    in path: any KeyPath<Value, Property> & Sendable
  ) -> @Sendable (Value, Value) -> Bool {
    { old, new in old[keyPath: path] != new[keyPath: path] }
  }
}
