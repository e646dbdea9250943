internal import Kinship

/// The model objects of one type that a transaction has found or made.
final class FoundModels<R: GraphRecord, Model> {
  /// The model object by id; `nil` if it does not exist, or will be deleted.
  private var models: [R.ID: Model?] = [:]

  /// A model object that was found or made.
  subscript(id: R.ID) -> Model? {
    get { models[id] ?? nil }
    set { models[id] = .some(newValue) }
  }

  /// Finds the model objects of all ids that are not known yet, in one call.
  func find<T: Translator>(
    _ ids: [R.ID], by translator: T, in context: any TranslationContext
  ) throws where T.Translated == R, T.Model == Model {
    var wanted: [R.ID] = []
    var unanswered: Set<R.ID> = []
    for id in ids where models[id] == nil && unanswered.insert(id).inserted { wanted.append(id) }
    if wanted.isEmpty { return }
    for model in try translator.asking({ try context.models(for: wanted, by: translator) }) {
      let id = try translator.identify(model)
      guard unanswered.remove(id) != nil else {
        throw KinshipError.unexpectedRecord(AnyRef(Ref<R>(id)))
      }
      self[id] = model
    }
    for id in unanswered { self[id] = nil }
  }
}
