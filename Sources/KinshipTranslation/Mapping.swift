public import Kinship

/// A translator that you declare by one line for each property.
///
/// ```swift
/// static let mapping: Mapping<PersonModel, Person> = Mapping(
///   id: \.id, Person.init,
///   .map(\.name, \.name),
///   .map(\.father, \.father, by: PersonModel.mapping),
///   .map(\.events, \.events, by: EventModel.mapping))
/// ```
///
/// A line maps a property of the record to its place in the model object, and is used both ways.
/// The lines stand in the order of the initializer's parameters: one that is missing, or is of
/// another type, does not compile. Two properties of one type can still be confused;
/// `StoreConformance.verifyRoundTrip(of:in:)` finds that.
///
/// A mapping reads the refs of a model object without the rest of it, so an object that cannot be
/// translated does not block the deletion of others.
public struct Mapping<Model, Translated: GraphRecord>: Translator {
  @usableFromInline let identity: @Sendable (Model) throws -> Translated.ID
  @usableFromInline let reading: @Sendable (Model) throws -> Translated
  @usableFromInline let writing: @Sendable (inout Model, Translated, ModelMap) throws -> Void
  /// By the name of the property.
  @usableFromInline let refs: [String: @Sendable (Model) throws -> [AnyRef]]

  /// Creates a mapping.
  ///
  /// - Parameters:
  ///   - id: Returns the id of a model object, such as `\.id`.
  ///   - make: Makes a record from its id and its properties: the record's own initializer.
  ///   - property: The properties, in the order of the parameters of `make`.
  @inlinable
  public init<each Value>(
    id: @escaping @Sendable (Model) throws -> Translated.ID,
    _ make: @escaping @Sendable (Translated.ID, repeat each Value) throws -> Translated,
    _ property: repeat MappedProperty<Model, Translated, each Value>
  ) {
    // Specialised where a mapping is declared, for the benchmark case `objects`.
    let readers = (repeat (each property).reading)
    var refs: [String: @Sendable (Model) throws -> [AnyRef]] = [:]
    for property in repeat each property { refs[property.name] = property.refs }
    self.refs = refs
    identity = id
    writing = { repeat try (each property).write($1, to: &$0, $2) }
    reading = { model in
      do {
        return try make(try id(model), repeat try (each readers)(model))
      } catch {
        // Find the property that cannot be read.
        repeat _ = try (each property).read(model)
        throw error
      }
    }
  }

  /// Returns the id of the record for a model object.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The id.
  /// - Throws: The reason why it has none.
  @inlinable
  public func id(of model: Model) throws -> Translated.ID { try identity(model) }

  /// Turns a model object into a record.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The record.
  /// - Throws: ``UntranslatableField`` with the first property that cannot be read.
  /// - Complexity: O(*n*) in the properties.
  @inlinable
  public func record(from model: Model) throws -> Translated { try reading(model) }

  /// Returns the refs of a relationship.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - relationship: The relationship.
  /// - Returns: The refs; `nil` if no line says which refs the property holds.
  /// - Throws: The reason why they cannot be read.
  @inlinable
  public func refs(
    from model: Model, by relationship: RecordRelationship<Translated>
  ) throws -> [AnyRef]? { try refs[relationship.name]?(model) }

  /// Updates a model object from a record.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - record: The record.
  ///   - models: Finds the model objects for the record's refs.
  /// - Throws: ``UntranslatableField`` with the first property that cannot be written.
  /// - Complexity: O(*n*) in the properties.
  @inlinable
  public func update(
    _ model: inout Model, from record: Translated, in models: ModelMap
  ) throws { try writing(&model, record, models) }
}

/// A mapping of a value within a record, which is no record itself.
///
/// ```swift
/// static let mapping = NestedMapping<AddressModel, Address>(
///   Address.init, .map(\.street, \.line1), .map(\.town, \.city))
/// ```
public struct NestedMapping<Model, Value>: Sendable {
  @usableFromInline let reading: @Sendable (Model) throws -> Value
  @usableFromInline let writing: @Sendable (inout Model, Value, ModelMap) throws -> Void

  /// Creates a mapping.
  ///
  /// - Parameters:
  ///   - make: Makes a value from its properties: the value's own initializer.
  ///   - property: The properties, in the order of the parameters of `make`.
  @inlinable
  public init<each Property>(
    _ make: @escaping @Sendable (repeat each Property) throws -> Value,
    _ property: repeat MappedProperty<Model, Value, each Property>
  ) {
    reading = { try make(repeat try (each property).read($0)) }
    writing = { repeat try (each property).write($1, to: &$0, $2) }
  }

  @usableFromInline
  func readNested(_ model: Model) throws -> Value {
    do { return try reading(model) } catch { throw NestedFailure.of(error) }
  }

  @usableFromInline
  func writeNested(_ value: Value, to model: inout Model, _ models: ModelMap) throws {
    do { try writing(&model, value, models) } catch { throw NestedFailure.of(error) }
  }
}
