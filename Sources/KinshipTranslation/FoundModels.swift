internal import Kinship

/// The model objects of one type that a transaction has come across.
final class FoundModels<R: GraphRecord, Model> {
  /// `nil` for what does not exist, or is to be deleted.
  private var models: [R.ID: Model?] = [:]

  /// A model object that was found or made.
  subscript(id: R.ID) -> Model? {
    get { models[id] ?? nil }
    set { models[id] = .some(newValue) }
  }

  /// Finds those of some ids that are not known yet, all at once.
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
