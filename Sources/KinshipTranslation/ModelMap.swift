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
/// It holds each model object once. What the changed records refer to by their relationships is
/// there already, found by one call for each type; new model objects are there before any is
/// filled, so that they can refer to each other. Anything else is found when it is asked for.
public final class ModelMap {
  private let context: any TranslationContext
  /// By record type: a `FoundModels`, and for models of which type.
  private var found: [ObjectIdentifier: (found: AnyObject, model: Any.Type)] = [:]

  init(_ context: any TranslationContext) { self.context = context }

  /// The model object that a ref names.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - translator: The translator of the model object.
  /// - Returns: The model object.
  /// - Throws: `KinshipError.missing` if there is none or it is to be deleted, and what the context
  ///   throws.
  /// - Complexity: O(1) on average, unless it must be found.
  public func model<T: Translator>(
    for ref: Ref<T.Translated>, by translator: T
  ) throws -> T.Model {
    let found = try found(of: translator)
    try found.find([ref.id], by: translator, in: context)
    guard let model = found[ref.id] else { throw KinshipError.missing(AnyRef(ref)) }
    return model
  }

  /// The model object that an optional ref names.
  ///
  /// - Parameters:
  ///   - ref: The ref, or `nil`.
  ///   - translator: The translator of the model object.
  /// - Returns: The model object, or `nil` for `nil`.
  /// - Throws: `KinshipError.missing` if there is none or it is to be deleted, and what the context
  ///   throws.
  /// - Complexity: O(1) on average, unless it must be found.
  @_disfavoredOverload
  public func model<T: Translator>(
    for ref: Ref<T.Translated>?, by translator: T
  ) throws -> T.Model? {
    guard let ref else { return nil }
    let model: T.Model = try model(for: ref, by: translator)
    return model
  }

  /// The model objects that refs name.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - translator: The translator of the model objects.
  /// - Returns: The model objects, in the same order.
  /// - Throws: `KinshipError.missing` if there is none or one is to be deleted, and what the
  ///   context throws.
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

  /// What was found of a record type: the same for all translators of the same types.
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

extension ModelMap {
  /// The model object that a ref names.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The model object.
  /// - Throws: `KinshipError.missing` if there is none or it is to be deleted, and what the context
  ///   throws.
  /// - Complexity: O(1) on average, unless it must be found.
  public func model<R: TranslatableRecord>(for ref: Ref<R>) throws -> R.Model {
    try model(for: ref, by: R.translator)
  }

  /// The model object that an optional ref names.
  ///
  /// - Parameter ref: The ref, or `nil`.
  /// - Returns: The model object, or `nil` for `nil`.
  /// - Throws: `KinshipError.missing` if there is none or it is to be deleted, and what the context
  ///   throws.
  /// - Complexity: O(1) on average, unless it must be found.
  @_disfavoredOverload
  public func model<R: TranslatableRecord>(for ref: Ref<R>?) throws -> R.Model? {
    try model(for: ref, by: R.translator)
  }

  /// The model objects that refs name.
  ///
  /// - Parameter refs: The refs.
  /// - Returns: The model objects, in the same order.
  /// - Throws: `KinshipError.missing` if there is none or one is to be deleted, and what the
  ///   context throws.
  /// - Complexity: O(*n*) in the refs on average, unless some must be found.
  public func models<R: TranslatableRecord>(for refs: some Sequence<Ref<R>>) throws -> [R.Model] {
    try models(for: refs, by: R.translator)
  }
}
