public import Kinship

/// One property of a record or nested value, and its place in a model object: a line of a
/// ``Mapping``.
///
/// ```swift
/// static let mapping: Mapping<PatientModel, Patient> = Mapping(
///   id: \.id, Patient.init,
///   .map(\.name, \.title),
///   .map(\.sex, \.sex, reading: Sex.init(rawValue:), writing: \.rawValue),
///   .map(\.home, \.address, by: AddressModel.mapping))
/// ```
///
/// An error of a line names its property.
public struct MappedProperty<Model, Root, Value>: Sendable {
  @usableFromInline let path: any PartialKeyPath<Root> & Sendable
  @usableFromInline let reading: @Sendable (Model) throws -> Value
  @usableFromInline let writing: @Sendable (inout Model, Root, ModelMap) throws -> Void
  /// Reads the refs that the property holds; `nil` if it holds none.
  @usableFromInline var refs: (@Sendable (Model) throws -> [AnyRef])?

  /// Creates a line that reads and writes by closures.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - reading: Returns the value of the property from a model object.
  ///   - writing: Sets the value of the property in a model object.
  @inlinable
  public init(
    _ path: any KeyPath<Root, Value> & Sendable,
    reading: @escaping @Sendable (Model) throws -> Value,
    writing: @escaping @Sendable (inout Model, Value, ModelMap) throws -> Void
  ) {
    self.path = path
    self.reading = reading
    self.writing = { try writing(&$0, $1[keyPath: path], $2) }
  }

  @inlinable
  func read(_ model: Model) throws -> Value {
    do { return try reading(model) } catch { throw named(error) }
  }

  @inlinable
  func write(_ root: Root, to model: inout Model, _ models: ModelMap) throws {
    do { try writing(&model, root, models) } catch { throw named(error) }
  }

  /// The error of a property, which names it.
  @usableFromInline
  func named(_ error: any Error) -> any Error {
    switch error {
    case let nested as NestedFailure:
      UntranslatableField("\(name).\(nested.field.field)", cause: nested.field.cause)
    case is CancellationError, is UntranslatableField, KinshipError.untranslatable: error
    default: UntranslatableField(name, cause: error)
    }
  }

  @usableFromInline
  var name: String { PropertyName.of(path) }
}

/// An error within a nested value: the property that holds the value is named before the field.
@usableFromInline
struct NestedFailure: Error {
  @usableFromInline let field: UntranslatableField

  @usableFromInline
  static func of(_ error: any Error) -> any Error {
    (error as? UntranslatableField).map { NestedFailure(field: $0) } ?? error
  }
}

extension MappedProperty {
  /// Maps a property to a place of the same type.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: Its place in the model object.
  /// - Returns: The line.
  @inlinable
  public static func map(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, Value> & Sendable
  ) -> Self {
    Self(
      path, reading: { $0[keyPath: place] },
      writing: { model, value, _ in model[keyPath: place] = value })
  }

  /// Maps a property that requires a value to an optional place.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: Its place in the model object. `nil` is an error: ``UntranslatableField/NoValue``.
  /// - Returns: The line.
  @inlinable
  public static func map(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, Value?> & Sendable
  ) -> Self {
    Self(
      path, reading: { try required($0[keyPath: place]) },
      writing: { model, value, _ in model[keyPath: place] = value })
  }

  /// Maps a property to a place of another type.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: Its place in the model object.
  ///   - reading: Converts what is stored to the value. `nil` is an error: it stands for no value.
  ///   - writing: Converts the value to what is stored.
  /// - Returns: The line.
  @inlinable
  public static func map<Stored>(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, Stored> & Sendable,
    reading: @escaping @Sendable (Stored) throws -> Value?,
    writing: @escaping @Sendable (Value) throws -> Stored
  ) -> Self {
    Self(
      path,
      reading: { model in
        let stored = model[keyPath: place]
        guard let value = try reading(stored) else { throw UnknownValue(stored) }
        return value
      },
      writing: { model, value, _ in model[keyPath: place] = try writing(value) })
  }

  /// Maps a nested value by a mapping of its own.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: The place of the nested model object or value.
  ///   - mapping: The mapping of the nested value.
  /// - Returns: The line.
  @inlinable
  public static func map<Stored>(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, Stored> & Sendable, by mapping: NestedMapping<Stored, Value>
  ) -> Self {
    Self(
      path, reading: { try mapping.readNested($0[keyPath: place]) },
      writing: { try mapping.writeNested($1, to: &$0[keyPath: place], $2) })
  }

  /// Maps an optional nested value by a mapping of its own.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - place: The place of the nested model object or value, which is `nil` if there is none.
  ///   - mapping: The mapping of the nested value.
  ///   - make: Makes an empty nested model object, to be filled.
  /// - Returns: The line.
  @inlinable
  public static func map<Stored, Nested>(
    _ path: any KeyPath<Root, Value> & Sendable,
    _ place: any WritableKeyPath<Model, Stored?> & Sendable,
    by mapping: NestedMapping<Stored, Nested>, new make: @escaping @Sendable () throws -> Stored
  ) -> Self where Value == Nested? {
    Self(
      path, reading: { try $0[keyPath: place].map { try mapping.readNested($0) } },
      writing: { model, value, models in
        guard let value else { return model[keyPath: place] = nil }
        var nested = try model[keyPath: place] ?? make()
        try mapping.writeNested(value, to: &nested, models)
        model[keyPath: place] = nested
      })
  }

  @usableFromInline
  static func required<Wrapped>(_ value: Wrapped?) throws(UntranslatableField.NoValue) -> Wrapped {
    guard let value else { throw UntranslatableField.NoValue() }
    return value
  }
}

/// An error: what a model object holds stands for no value of a property.
@usableFromInline
struct UnknownValue: Error, CustomStringConvertible {
  @usableFromInline let description: String

  @usableFromInline
  init(_ stored: some Any) {
    description = "\(String(reflecting: stored)) stands for none of the property's values"
  }
}
