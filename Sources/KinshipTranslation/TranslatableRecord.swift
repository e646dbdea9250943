public import Kinship

/// A record that implements its own translation.
///
/// ```swift
/// struct Place: TranslatableRecord {
///   let id: Int
///   var name: String
///
///   init(translating model: PlaceModel) throws {
///     id = model.id
///     name = try Self.required(model.name, "name")
///   }
///
///   func update(_ model: inout PlaceModel, in models: ModelMap) throws {
///     model.name = name
///   }
/// }
/// ```
///
/// Pass its ``translator`` to the store. Use its static `ref(to:)` and ``refs(to:)`` in the
/// translations of records that refer to it.
public protocol TranslatableRecord: GraphRecord {
  /// The type of the model objects.
  associatedtype Model

  /// Returns the id of the record for a model object.
  ///
  /// The default implementation returns the model's own id, if the model is `Identifiable` by ids
  /// of the same type.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The id.
  /// - Throws: The reason why it has none.
  static func id(of model: Model) throws -> ID

  /// Creates the record for a model object.
  ///
  /// - Parameter model: The model object.
  /// - Throws: The reason why it cannot be translated. ``UntranslatableField`` names the field.
  init(translating model: Model) throws

  /// Updates a model object from this record.
  ///
  /// The default implementation throws: the type is read-only.
  ///
  /// - Parameters:
  ///   - model: The model object. A new one has its id, and nothing else.
  ///   - models: Finds the model objects for the record's refs.
  /// - Throws: The reason why it cannot be updated. ``UntranslatableField`` names the field.
  func update(_ model: inout Model, in models: ModelMap) throws
}

extension TranslatableRecord where Model: Identifiable, Model.ID == ID {
  /// Returns the model's own id.
  ///
  /// - Parameter model: The model object.
  /// - Returns: Its id.
  public static func id(of model: Model) -> ID { model.id }
}

extension TranslatableRecord {
  /// Throws, because the type is read-only.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - models: The model objects.
  /// - Throws: `KinshipError.misuse(.unsupported)`.
  public func update(_ model: inout Model, in models: ModelMap) throws {
    throw KinshipError.misuse(
      .unsupported(
        store: String(describing: RecordTranslator<Self>.self),
        operation: "writing \(Self.recordName)"))
  }

  /// The translator that calls this type's own methods.
  public static var translator: RecordTranslator<Self> { RecordTranslator() }

  /// Returns the ref to the record for a model object.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The ref.
  /// - Throws: The errors of ``id(of:)``.
  public static func ref(to model: Model) throws -> Ref<Self> { try translator.ref(to: model) }

  /// Returns the ref to the record for an optional model object.
  ///
  /// - Parameter model: The model object, or `nil`.
  /// - Returns: The ref, or `nil` for `nil`.
  /// - Throws: The errors of ``id(of:)``.
  @_disfavoredOverload
  public static func ref(to model: Model?) throws -> Ref<Self>? { try translator.ref(to: model) }

  /// Returns the refs to the records for model objects.
  ///
  /// - Parameter models: The model objects.
  /// - Returns: The refs, in the same order.
  /// - Throws: The errors of ``id(of:)``.
  /// - Complexity: O(*n*) in the model objects.
  public static func refs(to models: some Sequence<Model>) throws -> [Ref<Self>] {
    try translator.refs(to: models)
  }

  /// Unwraps a value that the record requires.
  ///
  /// - Parameters:
  ///   - value: The value, or `nil`.
  ///   - field: The name of the field of the model object.
  /// - Returns: The value.
  /// - Throws: ``UntranslatableField`` with the name of the field, if the value is `nil`.
  public static func required<Value>(
    _ value: Value?, _ field: String
  ) throws(UntranslatableField) -> Value {
    guard let value else {
      throw UntranslatableField(field, cause: UntranslatableField.NoValue())
    }
    return value
  }
}
