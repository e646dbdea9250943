public import Kinship

/// Turns the model objects of one type into records, and records back into model objects.
///
/// A model object is whatever your data comes in: an instance of a class that refers to others, a
/// row, a decoded JSON object. It need not be `Sendable`.
///
/// ```swift
/// struct PersonTranslator: Translator {
///   func record(from model: PersonModel) throws -> Person {
///     Person(
///       id: model.id, name: try required(model.name, "name"),
///       father: try ref(to: model.father),
///       events: try EventTranslator().refs(to: model.events))
///   }
///
///   func update(_ model: inout PersonModel, from person: Person, in models: ModelMap) throws {
///     model.name = person.name
///     model.father = try models.model(for: person.father, by: self)
///     model.events = try models.models(for: person.events, by: EventTranslator())
///   }
/// }
/// ```
///
/// A translator asks other translators for refs, never for records. So each model object is
/// translated once however many paths lead to it, cycles end, and the generations that a plan
/// follows bound the work.
public protocol Translator<Translated>: Sendable {
  /// The type of the model objects.
  associatedtype Model
  /// The type of the records.
  associatedtype Translated: GraphRecord

  /// The id of the record that a model object becomes.
  ///
  /// The default is the model's own id, where it is `Identifiable` by ids of the same type.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The id.
  /// - Throws: Why there is none.
  func id(of model: Model) throws -> Translated.ID

  /// Turns a model object into a record.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The record.
  /// - Throws: Why there is none: ``UntranslatableField`` names the field.
  func record(from model: Model) throws -> Translated

  /// The refs that a model object holds by a relationship, where they can be told without making
  /// the record.
  ///
  /// A deletion asks for those who refer to the record. If the context does not find them itself
  /// and the translator does not tell their refs, all model objects of the type are translated, and
  /// one that cannot be translated stands in the way: it may refer to the record.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - relationship: The relationship.
  /// - Returns: The refs; `nil`, as by default, to have the record made.
  /// - Throws: Why they cannot be told; then the record is made.
  func refs(
    from model: Model, by relationship: RecordRelationship<Translated>
  ) throws -> [AnyRef]?

  /// Makes a model object say what a record says.
  ///
  /// The default refuses: what is translated can only be read.
  ///
  /// - Parameters:
  ///   - model: The model object. If it is new it has its id, and nothing else.
  ///   - record: The record.
  ///   - models: Finds the model objects that the record's refs name.
  /// - Throws: Why it cannot be done: ``UntranslatableField`` names the field.
  func update(_ model: inout Model, from record: Translated, in models: ModelMap) throws

  /// What a model object holds that its record does not, to be kept when it is deleted.
  ///
  /// The default keeps nothing: a deletion that is undone brings back what the record holds.
  ///
  /// - Parameter model: The model object.
  /// - Returns: What to keep, or `nil` for nothing.
  /// - Throws: Why it cannot be kept; then nothing is deleted.
  func remains(of model: Model) throws -> (any Sendable)?

  /// Gives what was kept to a model object that is made anew because the deletion was undone.
  ///
  /// It is filled from its record afterwards. The default does nothing.
  ///
  /// - Parameters:
  ///   - remains: What ``remains(of:)`` has returned.
  ///   - model: The model object.
  /// - Throws: Why it cannot be done.
  func restore(_ remains: any Sendable, to model: inout Model) throws
}

extension Translator {
  /// Has the record made.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - relationship: The relationship.
  /// - Returns: `nil`.
  /// - Throws: Nothing.
  public func refs(
    from model: Model, by relationship: RecordRelationship<Translated>
  ) throws -> [AnyRef]? { nil }

  /// Keeps nothing.
  ///
  /// - Parameter model: The model object.
  /// - Returns: `nil`.
  /// - Throws: Nothing.
  public func remains(of model: Model) throws -> (any Sendable)? { nil }

  /// Does nothing.
  ///
  /// - Parameters:
  ///   - remains: What was kept.
  ///   - model: The model object.
  /// - Throws: Nothing.
  public func restore(_ remains: any Sendable, to model: inout Model) throws {}
}

extension Translator where Model: Identifiable, Model.ID == Translated.ID {
  /// The model's own id.
  ///
  /// - Parameter model: The model object.
  /// - Returns: Its id.
  public func id(of model: Model) -> Translated.ID { model.id }
}

extension Translator {
  /// Refuses: what is translated can only be read.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - record: The record.
  ///   - models: The model objects.
  /// - Throws: `KinshipError.unsupported`.
  public func update(
    _ model: inout Model, from record: Translated, in models: ModelMap
  ) throws {
    throw KinshipError.unsupported(
      store: String(describing: Self.self), operation: "writing \(Translated.recordName)")
  }

  /// The ref to the record that a model object becomes.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The ref.
  /// - Throws: What ``id(of:)`` throws.
  public func ref(to model: Model) throws -> Ref<Translated> { Ref(try id(of: model)) }

  /// The ref to the record that a model object becomes, if there is one.
  ///
  /// - Parameter model: The model object, or `nil`.
  /// - Returns: The ref, or `nil` for `nil`.
  /// - Throws: What ``id(of:)`` throws.
  @_disfavoredOverload
  public func ref(to model: Model?) throws -> Ref<Translated>? {
    guard let model else { return nil }
    return Ref(try id(of: model))
  }

  /// The refs to the records that model objects become.
  ///
  /// - Parameter models: The model objects.
  /// - Returns: The refs, in the same order.
  /// - Throws: What ``id(of:)`` throws.
  /// - Complexity: O(*n*) in the model objects.
  public func refs(to models: some Sequence<Model>) throws -> [Ref<Translated>] {
    try models.map { Ref(try id(of: $0)) }
  }

  /// A value that a record cannot do without.
  ///
  /// - Parameters:
  ///   - value: The value, or `nil`.
  ///   - field: The name of the field of the model object.
  /// - Returns: The value.
  /// - Throws: ``UntranslatableField``, which names the field, for `nil`.
  public func required<Value>(
    _ value: Value?, _ field: String
  ) throws(UntranslatableField) -> Value {
    guard let value else {
      throw UntranslatableField(field, cause: UntranslatableField.NoValue())
    }
    return value
  }
}
