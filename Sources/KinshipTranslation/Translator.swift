public import Kinship

/// Turns the model objects of one type into records, and records back into model objects.
///
/// A model object can be any form of your data: an instance of a class that refers to others, a
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
/// translated once however many paths lead to it, cycles end, and the generations of a fetch plan
/// bound the work.
public protocol Translator<Translated>: Sendable {
  /// The type of the model objects.
  associatedtype Model
  /// The type of the records.
  associatedtype Translated: GraphRecord

  /// Returns the id of the record for a model object.
  ///
  /// The default implementation returns the model's own id, if the model is `Identifiable` by ids
  /// of the same type.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The id.
  /// - Throws: The reason why it has none.
  func id(of model: Model) throws -> Translated.ID

  /// Turns a model object into a record.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The record.
  /// - Throws: The reason why it cannot be translated. ``UntranslatableField`` names the field.
  func record(from model: Model) throws -> Translated

  /// Returns the refs of a relationship, if they can be read without translating the whole object.
  ///
  /// A deletion looks for the records that refer to the deleted one. If the context does not find
  /// them itself, and this method returns `nil`, all model objects of the type are translated. One
  /// that cannot be translated then blocks the deletion, because it may refer to the record.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - relationship: The relationship.
  /// - Returns: The refs; `nil` to have the object translated. The default implementation returns
  ///   `nil`.
  /// - Throws: The reason why they cannot be read; then the object is translated.
  func refs(
    from model: Model, by relationship: RecordRelationship<Translated>
  ) throws -> [AnyRef]?

  /// Updates a model object from a record.
  ///
  /// The default implementation throws: the type is read-only.
  ///
  /// - Parameters:
  ///   - model: The model object. A new one has its id, and nothing else.
  ///   - record: The record.
  ///   - models: Finds the model objects for the record's refs.
  /// - Throws: The reason why it cannot be updated. ``UntranslatableField`` names the field.
  func update(_ model: inout Model, from record: Translated, in models: ModelMap) throws

  /// Returns the values of a model object that its record lacks, to keep them when it is deleted.
  ///
  /// The default implementation keeps nothing: undoing a deletion then restores the values of the
  /// record only.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The values to keep, or `nil` for none.
  /// - Throws: The reason why they cannot be kept; then nothing is deleted.
  func unmapped(of model: Model) throws -> (any Sendable)?

  /// Restores the kept values in a model object that is inserted again, to undo its deletion.
  ///
  /// The model object is updated from its record afterwards. The default implementation does
  /// nothing.
  ///
  /// - Parameters:
  ///   - unmapped: The values from ``unmapped(of:)``.
  ///   - model: The model object.
  /// - Throws: The reason why they cannot be restored.
  func restore(_ unmapped: any Sendable, to model: inout Model) throws
}

extension Translator {
  /// Returns `nil`, so that the object is translated.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - relationship: The relationship.
  /// - Returns: `nil`.
  /// - Throws: Never.
  public func refs(
    from model: Model, by relationship: RecordRelationship<Translated>
  ) throws -> [AnyRef]? { nil }

  /// Returns `nil`: keeps nothing.
  ///
  /// - Parameter model: The model object.
  /// - Returns: `nil`.
  /// - Throws: Never.
  public func unmapped(of model: Model) throws -> (any Sendable)? { nil }

  /// Does nothing.
  ///
  /// - Parameters:
  ///   - unmapped: The kept values.
  ///   - model: The model object.
  /// - Throws: Never.
  public func restore(_ unmapped: any Sendable, to model: inout Model) throws {}
}

extension Translator where Model: Identifiable, Model.ID == Translated.ID {
  /// Returns the model's own id.
  ///
  /// - Parameter model: The model object.
  /// - Returns: Its id.
  public func id(of model: Model) -> Translated.ID { model.id }
}

extension Translator {
  /// Throws, because the type is read-only.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - record: The record.
  ///   - models: The model objects.
  /// - Throws: `KinshipError.misuse(.unsupported)`.
  public func update(
    _ model: inout Model, from record: Translated, in models: ModelMap
  ) throws {
    throw KinshipError.misuse(
      .unsupported(
        store: String(describing: Self.self), operation: "writing \(Translated.recordName)"))
  }

  /// Returns the ref to the record for a model object.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The ref.
  /// - Throws: The errors of ``id(of:)``.
  @inlinable
  public func ref(to model: Model) throws -> Ref<Translated> { Ref(try id(of: model)) }

  /// Returns the ref to the record for an optional model object.
  ///
  /// - Parameter model: The model object, or `nil`.
  /// - Returns: The ref, or `nil` for `nil`.
  /// - Throws: The errors of ``id(of:)``.
  @_disfavoredOverload
  @inlinable
  public func ref(to model: Model?) throws -> Ref<Translated>? {
    guard let model else { return nil }
    return Ref(try id(of: model))
  }

  /// Returns the refs to the records for model objects.
  ///
  /// - Parameter models: The model objects.
  /// - Returns: The refs, in the same order.
  /// - Throws: The errors of ``id(of:)``.
  /// - Complexity: O(*n*) in the model objects.
  @inlinable
  public func refs(to models: some Sequence<Model>) throws -> [Ref<Translated>] {
    try models.map { Ref(try id(of: $0)) }
  }

  /// Unwraps a value that the record requires.
  ///
  /// - Parameters:
  ///   - value: The value, or `nil`.
  ///   - field: The name of the field of the model object.
  /// - Returns: The value.
  /// - Throws: ``UntranslatableField`` with the name of the field, if the value is `nil`.
  public func required<Value>(
    _ value: Value?, _ field: String
  ) throws(UntranslatableField) -> Value {
    guard let value else {
      throw UntranslatableField(field, cause: UntranslatableField.NoValue())
    }
    return value
  }
}
