public import Kinship

/// Finds, makes and deletes model objects within a ``ModelSession``.
///
/// You must implement only the search by ids. Without the other methods, the store answers no
/// queries or is read-only. If the classes share a base class, ``ObjectContext`` is shorter.
public protocol TranslationContext {
  /// Finds model objects by the ids of their records.
  ///
  /// - Parameters:
  ///   - ids: The ids, each once.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects that exist, in any order, each once.
  /// - Throws: Any error that keeps the context from answering.
  func models<T: Translator>(
    for ids: [T.Translated.ID], by translator: T
  ) throws -> [T.Model]

  /// Finds all model objects of a type.
  ///
  /// - Parameter translator: The translator of the model objects.
  /// - Returns: The model objects, in any order, each once.
  /// - Throws: Any error that keeps the context from answering. The default implementation throws
  ///   `.misuse(.unsupported)`.
  func allModels<T: Translator>(by translator: T) throws -> [T.Model]

  /// Finds the model objects whose records match a query, if the context can.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects that match its filter, in its order; or `nil` if the context does
  ///   not know any part of the query. Then all model objects are translated, and their records
  ///   filtered and sorted. The default implementation returns `nil`.
  /// - Throws: Any error that keeps the context from answering.
  func models<T: Translator>(
    matching query: RecordQuery<T.Translated>, by translator: T
  ) throws -> [T.Model]?

  /// Finds the model objects whose records refer to any of the targets, if the context can.
  ///
  /// - Parameters:
  ///   - targets: The refs of the records that are referred to.
  ///   - relationship: The relationship that refers to them.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects that refer to at least one of them, each once; or `nil`. Then all
  ///   model objects are translated, and the refs of their records compared. The default
  ///   implementation returns `nil`.
  /// - Throws: Any error that keeps the context from answering.
  func models<T: Translator, Target: GraphRecord>(
    referringTo targets: [Ref<Target>], by relationship: RecordRelationship<T.Translated>,
    translator: T
  ) throws -> [T.Model]?

  /// Makes a model object with the id of a record.
  ///
  /// Others can find it once the transaction is committed.
  ///
  /// The translator fills it later, when all new model objects exist and can be referred to.
  ///
  /// - Parameters:
  ///   - record: The record that the model object will represent.
  ///   - translator: The translator of the model object.
  /// - Returns: The model object.
  /// - Throws: Any error that keeps the context from making it. The default implementation throws
  ///   `.misuse(.unsupported)`.
  func insertModel<T: Translator>(
    for record: T.Translated, by translator: T
  ) throws -> T.Model

  /// Stores an updated model object.
  ///
  /// The default implementation does nothing, because instances of classes are updated in place.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: Any error that keeps the context from storing it.
  func save<T: Translator>(_ model: T.Model, by translator: T) throws

  /// Deletes a model object.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: Any error that keeps the context from deleting it. The default implementation throws
  ///   `.misuse(.unsupported)`.
  func delete<T: Translator>(_ model: T.Model, by translator: T) throws
}

extension TranslationContext {
  /// Throws, because the context finds model objects by ids only.
  ///
  /// - Parameter translator: The translator of the model objects.
  /// - Returns: Never.
  /// - Throws: `KinshipError.misuse(.unsupported)`.
  public func allModels<T: Translator>(by translator: T) throws -> [T.Model] {
    throw unsupported("finding all models of type \(T.Model.self)")
  }

  /// Returns `nil`, so that the store filters and sorts the records.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - translator: The translator of the model objects.
  /// - Returns: `nil`.
  /// - Throws: Never.
  public func models<T: Translator>(
    matching query: RecordQuery<T.Translated>, by translator: T
  ) throws -> [T.Model]? { nil }

  /// Returns `nil`, so that the store compares the refs of the records.
  ///
  /// - Parameters:
  ///   - targets: The refs of the records that are referred to.
  ///   - relationship: The relationship that refers to them.
  ///   - translator: The translator of the model objects.
  /// - Returns: `nil`.
  /// - Throws: Never.
  public func models<T: Translator, Target: GraphRecord>(
    referringTo targets: [Ref<Target>], by relationship: RecordRelationship<T.Translated>,
    translator: T
  ) throws -> [T.Model]? { nil }

  /// Throws, because the context is read-only.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - translator: The translator of the model object.
  /// - Returns: Never.
  /// - Throws: `KinshipError.misuse(.unsupported)`.
  public func insertModel<T: Translator>(
    for record: T.Translated, by translator: T
  ) throws -> T.Model {
    throw unsupported("making a model of type \(T.Model.self)")
  }

  /// Does nothing, because instances of classes are updated in place.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: Never.
  public func save<T: Translator>(_ model: T.Model, by translator: T) throws {}

  /// Throws, because the context is read-only.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: `KinshipError.misuse(.unsupported)`.
  public func delete<T: Translator>(_ model: T.Model, by translator: T) throws {
    throw unsupported("deleting a model of type \(T.Model.self)")
  }

  private func unsupported(_ operation: String) -> KinshipError {
    .misuse(.unsupported(store: String(describing: Self.self), operation: operation))
  }
}
