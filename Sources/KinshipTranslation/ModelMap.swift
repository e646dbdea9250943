public import Kinship

/// The identity map of model objects, for one transaction of a ``ModelSession``.
///
/// With it a translator turns the refs of a record into the model objects that they name:
///
/// ```swift
/// model.father = try models.model(for: person.father, by: self)
/// model.events = try models.models(for: person.events, by: EventTranslator())
/// ```
///
/// The map holds each model object once. It already holds the targets of the changed records'
/// relationships, found by one call for each type. All new model objects exist before the first is
/// filled, so that they can refer to each other. Other model objects are found when you ask for
/// them.
public final class ModelMap {
  private let context: any TranslationContext
  /// By record type: a `FoundModels`, and the type of its models.
  private var found: [ObjectIdentifier: (found: AnyObject, model: Any.Type)] = [:]

  init(_ context: any TranslationContext) { self.context = context }

  /// Returns the model object for a ref.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - translator: The translator of the model object.
  /// - Returns: The model object.
  /// - Throws: `KinshipError.missing` if there is none or it will be deleted, and the errors of the
  ///   context.
  /// - Complexity: O(1) on average, unless it must be found.
  public func model<T: Translator>(
    for ref: Ref<T.Translated>, by translator: T
  ) throws -> T.Model {
    let found = try found(of: translator)
    try found.find([ref.id], by: translator, in: context)
    guard let model = found[ref.id] else { throw KinshipError.missing(AnyRef(ref)) }
    return model
  }

  /// Returns the model object for an optional ref.
  ///
  /// - Parameters:
  ///   - ref: The ref, or `nil`.
  ///   - translator: The translator of the model object.
  /// - Returns: The model object, or `nil` for `nil`.
  /// - Throws: `KinshipError.missing` if there is none or it will be deleted, and the errors of the
  ///   context.
  /// - Complexity: O(1) on average, unless it must be found.
  @_disfavoredOverload
  public func model<T: Translator>(
    for ref: Ref<T.Translated>?, by translator: T
  ) throws -> T.Model? {
    guard let ref else { return nil }
    let model: T.Model = try model(for: ref, by: translator)
    return model
  }

  /// Returns the model objects for several refs.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects, in the same order.
  /// - Throws: `KinshipError.missing` if there is none for a ref or it will be deleted, and the
  ///   errors of the context.
  /// - Complexity: O(*n*) in the refs on average, unless some must be found.
  public func models<T: Translator>(
    for refs: some Sequence<Ref<T.Translated>>, by translator: T
  ) throws -> [T.Model] {
    let refs = Array(refs)
    let found = try found(of: translator)
    try found.find(refs.map { $0.id }, by: translator, in: context)
    return try refs.map { ref in
      guard let model = found[ref.id] else { throw KinshipError.missing(AnyRef(ref)) }
      return model
    }
  }

  /// The found model objects of a record type, shared by all translators of the same types.
  func found<T: Translator>(of translator: T) throws -> FoundModels<T.Translated, T.Model> {
    let key = ObjectIdentifier(T.Translated.self)
    if let known = found[key] {
      guard let found = known.found as? FoundModels<T.Translated, T.Model> else {
        throw UnexpectedModel(expected: T.Model.self, found: known.model)
      }
      return found
    }
    let new = FoundModels<T.Translated, T.Model>()
    found[key] = (new, T.Model.self)
    return new
  }
}
