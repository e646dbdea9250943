internal import Kinship

/// A context of model objects whose classes share a base class.
///
/// It needs four short methods.
///
/// The results of the methods are checked: a model object of another type than the translator's
/// throws ``UnexpectedModel``, and does not trap.
public protocol ObjectContext: TranslationContext {
  /// The base class.
  associatedtype Object: AnyObject

  /// Finds objects by the ids of their records.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - ids: The ids, each once.
  /// - Returns: The objects that exist, in any order, each once.
  /// - Throws: Any error that keeps the context from answering.
  func objects<ID: Hashable & Sendable>(of type: Object.Type, ids: [ID]) throws -> [Object]

  /// Finds all objects of a class.
  ///
  /// - Parameter type: The class.
  /// - Returns: The objects, in any order, each once.
  /// - Throws: Any error that keeps the context from answering.
  func allObjects(of type: Object.Type) throws -> [Object]

  /// Makes an object with an id.
  ///
  /// Others can find it once the transaction is committed.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - id: The id of its record.
  /// - Returns: The object.
  /// - Throws: Any error that keeps the context from making it.
  func insertObject<ID: Hashable & Sendable>(of type: Object.Type, id: ID) throws -> Object

  /// Deletes an object.
  ///
  /// - Parameter object: The object.
  /// - Throws: Any error that keeps the context from deleting it.
  func deleteObject(_ object: Object) throws
}

extension ObjectContext {
  /// Finds model objects by the ids of their records.
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects that exist.
  /// - Throws: ``UnexpectedModel`` for an object of another type, and the errors of
  ///   ``objects(of:ids:)``.
  public func models<T: Translator>(
    for ids: [T.Translated.ID], by translator: T
  ) throws -> [T.Model] {
    try objects(of: Self.type(of: translator), ids: ids).map { try Self.model($0, by: translator) }
  }

  /// Finds all model objects of a type.
  ///
  /// - Parameter translator: The translator of the model objects.
  /// - Returns: The model objects.
  /// - Throws: ``UnexpectedModel`` for an object of another type, and the errors of
  ///   ``allObjects(of:)``.
  public func allModels<T: Translator>(by translator: T) throws -> [T.Model] {
    try allObjects(of: Self.type(of: translator)).map { try Self.model($0, by: translator) }
  }

  /// Makes a model object.
  ///
  /// - Parameters:
  ///   - record: The record that the model object will represent.
  ///   - translator: The translator of the model object.
  /// - Returns: The model object.
  /// - Throws: ``UnexpectedModel`` for an object of another type, and the errors of
  ///   ``insertObject(of:id:)``.
  public func insertModel<T: Translator>(
    for record: T.Translated, by translator: T
  ) throws -> T.Model {
    try Self.model(try insertObject(of: Self.type(of: translator), id: record.id), by: translator)
  }

  /// Deletes a model object.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - translator: The translator of the model object.
  /// - Throws: ``UnexpectedModel`` for an object of another type, and the errors of
  ///   ``deleteObject(_:)``.
  public func delete<T: Translator>(_ model: T.Model, by translator: T) throws {
    guard let object = model as? Object else {
      throw UnexpectedModel(expected: Object.self, found: Swift.type(of: model))
    }
    try deleteObject(object)
  }

  private static func type<T: Translator>(of translator: T) throws -> Object.Type {
    guard let type = T.Model.self as? Object.Type else {
      throw UnexpectedModel(expected: Object.self, found: T.Model.self)
    }
    return type
  }

  private static func model<T: Translator>(_ object: Object, by translator: T) throws -> T.Model {
    guard let model = object as? T.Model else {
      throw UnexpectedModel(expected: T.Model.self, found: Swift.type(of: object))
    }
    return model
  }
}
