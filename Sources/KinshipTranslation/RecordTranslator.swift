internal import Kinship

/// The translator of a record type that brings its own translation.
public struct RecordTranslator<Translated: TranslatableRecord>: Translator {
  /// Creates the translator.
  public init() {}

  /// The id of the record that a model object becomes.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The id.
  /// - Throws: Why there is none.
  public func id(of model: Translated.Model) throws -> Translated.ID {
    try Translated.id(of: model)
  }

  /// Turns a model object into a record.
  ///
  /// - Parameter model: The model object.
  /// - Returns: The record.
  /// - Throws: Why there is none.
  public func record(from model: Translated.Model) throws -> Translated {
    try Translated(translating: model)
  }

  /// Makes a model object say what a record says.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - record: The record.
  ///   - models: Finds the model objects that the record's refs name.
  /// - Throws: Why it cannot be done.
  public func update(
    _ model: inout Translated.Model, from record: Translated, in models: ModelMap
  ) throws {
    try record.update(&model, in: models)
  }
}
