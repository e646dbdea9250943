public import Kinship

/// Model objects that refer to each other.
///
/// A mapping may lead to itself, or to one that leads back: it is asked for when it is needed.
extension MappedProperty {
  /// Maps a ref to another model object.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: Its place in the model object.
  ///   - translator: The translator of the other model object.
  /// - Returns: The line.
  @inlinable
  public static func map<T: Translator>(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, T.Model> & Sendable,
    by translator: @autoclosure @escaping @Sendable () -> T
  ) -> Self where Value == Ref<T.Translated> {
    Self(
      path, reading: { try translator().ref(to: $0[keyPath: place]) },
      writing: { $0[keyPath: place] = try $2.model(for: $1, by: translator()) }
    ).following { [AnyRef($0)] }
  }

  /// Maps a ref that the record requires to an optional model object.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: Its place in the model object. `nil` is an error: ``UntranslatableField/NoValue``.
  ///   - translator: The translator of the other model object.
  /// - Returns: The line.
  @inlinable
  public static func map<T: Translator>(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, T.Model?> & Sendable,
    by translator: @autoclosure @escaping @Sendable () -> T
  ) -> Self where Value == Ref<T.Translated> {
    Self(
      path, reading: { try translator().ref(to: required($0[keyPath: place])) },
      writing: { $0[keyPath: place] = try $2.model(for: $1, by: translator()) }
    ).following { [AnyRef($0)] }
  }

  /// Maps an optional ref to an optional model object.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: Its place in the model object.
  ///   - translator: The translator of the other model object.
  /// - Returns: The line.
  @inlinable
  public static func map<T: Translator>(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, T.Model?> & Sendable,
    by translator: @autoclosure @escaping @Sendable () -> T
  ) -> Self where Value == Ref<T.Translated>? {
    Self(
      path, reading: { try translator().ref(to: $0[keyPath: place]) },
      writing: { $0[keyPath: place] = try $2.model(for: $1, by: translator()) }
    ).following { $0.map { [AnyRef($0)] } ?? [] }
  }

  /// Maps refs to other model objects, in order.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: Its place in the model object.
  ///   - translator: The translator of the other model objects.
  /// - Returns: The line.
  @inlinable
  public static func map<T: Translator>(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, [T.Model]> & Sendable,
    by translator: @autoclosure @escaping @Sendable () -> T
  ) -> Self where Value == [Ref<T.Translated>] {
    Self(
      path, reading: { try translator().refs(to: $0[keyPath: place]) },
      writing: { $0[keyPath: place] = try $2.models(for: $1, by: translator()) }
    ).following { $0.map { AnyRef($0) } }
  }

  /// Says which refs a value holds, so that they can be read without the rest of the record.
  ///
  /// The lines of this library do so by themselves.
  ///
  /// - Parameter refs: Returns the refs of a value.
  /// - Returns: The line.
  @inlinable
  public func following(_ refs: @escaping @Sendable (Value) -> [AnyRef]) -> Self {
    var line = self
    let reading = reading
    line.refs = { refs(try reading($0)) }
    return line
  }
}
