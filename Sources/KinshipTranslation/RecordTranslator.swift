internal import Kinship

/// The translator of a record type that is its own translator: ``TranslatableRecord``.
public struct RecordTranslator<Translated: TranslatableRecord>: Translator {
  /// Creates the translator.
  public init() {}

  /// Returns the id of the record for a model object.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The id.
  /// - Throws: The reason why it has none.
  public func id(of model: Translated.Model) throws -> Translated.ID {
    try Translated.id(of: model)
  }

  /// Turns a model object into a record.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The record.
  /// - Throws: The reason why it cannot be translated.
  public func record(from model: Translated.Model) throws -> Translated {
    try Translated(translating: model)
  }

  /// Updates a model object from a record.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - record: The record.
  ///   - models: Finds the model objects for the record's refs.
  /// - Throws: The reason why it cannot be updated.
  public func update(
    _ model: inout Translated.Model, from record: Translated, in models: ModelMap
  ) throws {
    try record.update(&model, in: models)
  }
}
