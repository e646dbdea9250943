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
    let found = try find([ref.id], by: translator)
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
    let found = try find(refs.map { $0.id }, by: translator)
    return try refs.map { ref in
      guard let model = found[ref.id] else { throw KinshipError.missing(AnyRef(ref)) }
      return model
    }
  }

  /// Finds the model objects of all ids that are not known yet, in one call; returns all that are
  /// known of the type.
  @discardableResult
  func find<T: Translator>(
    _ ids: [T.Translated.ID], by translator: T
  ) throws -> FoundModels<T.Translated, T.Model> {
    let found = try found(of: translator)
    var wanted: [T.Translated.ID] = []
    var unanswered: Set<T.Translated.ID> = []
    for id in ids where !found.knows(id) && unanswered.insert(id).inserted { wanted.append(id) }
    if wanted.isEmpty { return found }
    for model in try translator.asking({ try context.models(for: wanted, by: translator) }) {
      let id = try translator.identify(model)
      guard unanswered.remove(id) != nil else {
        throw KinshipError.unexpectedRecord(AnyRef(Ref<T.Translated>(id)))
      }
      found[id] = model
    }
    for id in unanswered { found[id] = nil }
    return found
  }

  /// The found model objects of a record type, shared by all translators of the same types.
  private func found<T: Translator>(
    of translator: T
  ) throws -> FoundModels<T.Translated, T.Model> {
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

/// The model objects of one type that a transaction has found or made.
final class FoundModels<R: GraphRecord, Model> {
  /// The model object by id; `nil` if it does not exist, or will be deleted.
  private var models: [R.ID: Model?] = [:]

  /// A model object that was found or made.
  subscript(id: R.ID) -> Model? {
    get { models[id] ?? nil }
    set { models[id] = .some(newValue) }
  }

  /// Returns whether it is known if there is a model object.
  func knows(_ id: R.ID) -> Bool { models[id] != nil }
}
