public import Kinship

/// What finds, makes and deletes model objects, within a ``ModelSession``.
///
/// Only finding by ids must be written. Without the rest there are no queries, or no writes. For
/// classes with a common base class, ``ObjectContext`` is shorter.
public protocol TranslationContext {
  /// Finds model objects by the ids of their records.
  ///
  /// - Parameters:
  ///   - ids: The ids, each once.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects that exist, in any order, each once.
  /// - Throws: Whatever keeps the context from answering.
  func models<T: Translator>(
    for ids: [T.Translated.ID], by translator: T
  ) throws -> [T.Model]

  /// Finds all model objects of a type.
  ///
  /// - Parameter translator: The translator of the model objects.
  /// - Returns: The model objects, in any order, each once.
  /// - Throws: Whatever keeps the context from answering. The default throws `.unsupported`.
  func allModels<T: Translator>(by translator: T) throws -> [T.Model]

  /// Finds the model objects whose records a query asks for, where the context can.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects that fulfil its filter, in its order; or `nil`, as by default,
  ///   also where there is anything about it that the context does not know: then all are
  ///   translated, and their records filtered and sorted.
  /// - Throws: Whatever keeps the context from answering.
  func models<T: Translator>(
    matching query: RecordQuery<T.Translated>, by translator: T
  ) throws -> [T.Model]?

  /// Finds the model objects whose records refer to others, where the context can.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects that refer to at least one of them, each once; or `nil`, as by
  ///   default: then all are translated, and their records asked.
  /// - Throws: Whatever keeps the context from answering.
  func models<T: Translator, Target: GraphRecord>(
    referringTo targets: [Ref<Target>], by relationship: RecordRelationship<T.Translated>,
    translator: T
  ) throws -> [T.Model]?

  /// Makes a model object with the id of a record, to be found once the transaction is committed.
  ///
  /// The translator fills it afterwards, when all new model objects are there to refer to.
  ///
  /// - Parameters:
  ///   - record: The record for which it is made.
  ///   - translator: The translator of the model object.
  /// - Returns: The model object.
  /// - Throws: Whatever keeps the context from it. The default throws `.unsupported`.
  func insertModel<T: Translator>(
    for record: T.Translated, by translator: T
  ) throws -> T.Model

  /// Takes over what a model object has become.
  ///
  /// The default does nothing: instances of classes have changed where they are.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: Whatever keeps the context from it.
  func save<T: Translator>(_ model: T.Model, by translator: T) throws

  /// Deletes a model object.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: Whatever keeps the context from it. The default throws `.unsupported`.
  func delete<T: Translator>(_ model: T.Model, by translator: T) throws
}

extension TranslationContext {
  /// Refuses: the context finds model objects by ids only.
  ///
  /// - Parameter translator: The translator of the model objects.
  /// - Returns: Nothing.
  /// - Throws: `KinshipError.unsupported`.
  public func allModels<T: Translator>(by translator: T) throws -> [T.Model] {
    throw unsupported("finding all models of type \(T.Model.self)")
  }

  /// Leaves queries to those who sort records.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - translator: The translator of the model objects.
  /// - Returns: `nil`.
  /// - Throws: Nothing.
  public func models<T: Translator>(
    matching query: RecordQuery<T.Translated>, by translator: T
  ) throws -> [T.Model]? { nil }

  /// Leaves referrers to those who ask records.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the targets.
  ///   - relationship: The relationship by which they are referred to.
  ///   - translator: The translator of the model objects.
  /// - Returns: `nil`.
  /// - Throws: Nothing.
  public func models<T: Translator, Target: GraphRecord>(
    referringTo targets: [Ref<Target>], by relationship: RecordRelationship<T.Translated>,
    translator: T
  ) throws -> [T.Model]? { nil }

  /// Refuses: the context can only be read.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - translator: The translator of the model object.
  /// - Returns: Nothing.
  /// - Throws: `KinshipError.unsupported`.
  public func insertModel<T: Translator>(
    for record: T.Translated, by translator: T
  ) throws -> T.Model {
    throw unsupported("making a model of type \(T.Model.self)")
  }

  /// Does nothing: instances of classes have changed where they are.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: Nothing.
  public func save<T: Translator>(_ model: T.Model, by translator: T) throws {}

  /// Refuses: the context can only be read.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: `KinshipError.unsupported`.
  public func delete<T: Translator>(_ model: T.Model, by translator: T) throws {
    throw unsupported("deleting a model of type \(T.Model.self)")
  }

  private func unsupported(_ operation: String) -> KinshipError {
    .unsupported(store: String(describing: Self.self), operation: operation)
  }
}
