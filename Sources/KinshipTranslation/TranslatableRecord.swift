public import Kinship

/// A record that brings its own translation.
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
/// Its ``translator`` is ready-made; its static `ref(to:)` and ``refs(to:)`` are for the
/// translations of records that refer to it.
public protocol TranslatableRecord: GraphRecord {
  /// The type of the model objects.
  associatedtype Model

  /// The id of the record that a model object becomes.
  ///
  /// The default is the model's own id, where it is `Identifiable` by ids of the same type.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The id.
  /// - Throws: Why there is none.
  static func id(of model: Model) throws -> ID

  /// Creates the record that a model object becomes.
  ///
  /// - Parameter model: The model object.
  /// - Throws: Why there is none: ``UntranslatableField`` names the field.
  init(translating model: Model) throws

  /// Makes a model object say what the record says.
  ///
  /// The default refuses: what is translated can only be read.
  ///
  /// - Parameters:
  ///   - model: The model object. If it is new it has its id, and nothing else.
  ///   - models: Finds the model objects that the record's refs name.
  /// - Throws: Why it cannot be done: ``UntranslatableField`` names the field.
  func update(_ model: inout Model, in models: ModelMap) throws
}

extension TranslatableRecord where Model: Identifiable, Model.ID == ID {
  /// The model's own id.
  ///
  /// - Parameter model: The model object.
  /// - Returns: Its id.
  public static func id(of model: Model) -> ID { model.id }
}

extension TranslatableRecord {
  /// Refuses: what is translated can only be read.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - models: The model objects.
  /// - Throws: `KinshipError.unsupported`.
  public func update(_ model: inout Model, in models: ModelMap) throws {
    throw KinshipError.unsupported(
      store: String(describing: RecordTranslator<Self>.self),
      operation: "writing \(Self.recordName)")
  }

  /// The translator that leaves the work to the record type.
  public static var translator: RecordTranslator<Self> { RecordTranslator() }

  /// The ref to the record that a model object becomes.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The ref.
  /// - Throws: What ``id(of:)`` throws.
  public static func ref(to model: Model) throws -> Ref<Self> { try translator.ref(to: model) }

  /// The ref to the record that a model object becomes, if there is one.
  ///
  /// - Parameter model: The model object, or `nil`.
  /// - Returns: The ref, or `nil` for `nil`.
  /// - Throws: What ``id(of:)`` throws.
  @_disfavoredOverload
  public static func ref(to model: Model?) throws -> Ref<Self>? { try translator.ref(to: model) }

  /// The refs to the records that model objects become.
  ///
  /// - Parameter models: The model objects.
  /// - Returns: The refs, in the same order.
  /// - Throws: What ``id(of:)`` throws.
  /// - Complexity: O(*n*) in the model objects.
  public static func refs(to models: some Sequence<Model>) throws -> [Ref<Self>] {
    try translator.refs(to: models)
  }

  /// A value that a record cannot do without.
  ///
  /// - Parameters:
  ///   - value: The value, or `nil`.
  ///   - field: The name of the field of the model object.
  /// - Returns: The value.
  /// - Throws: ``UntranslatableField``, which names the field, for `nil`.
  public static func required<Value>(
    _ value: Value?, _ field: String
  ) throws(UntranslatableField) -> Value {
    guard let value else {
      throw UntranslatableField(field, cause: UntranslatableField.NoValue())
    }
    return value
  }
}
