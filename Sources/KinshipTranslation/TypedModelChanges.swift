internal import Kinship

/// The changes of one type that is known only at run time, step by step.
protocol ErasedModelChanges {
  /// Finds the model objects, and compares them with the base values of the changes.
  func check() throws
  /// The refs of the records to write.
  var targets: [AnyRef] { get }
  /// Makes the new model objects, and hides those that will be deleted.
  func insert() throws
  /// Updates the model objects from the records.
  func fill() throws
  /// Deletes the model objects of deleted records.
  func delete() throws
}

/// The changes of one type.
final class TypedModelChanges<T: Translator>: ErasedModelChanges {
  private typealias R = T.Translated

  private let translator: T
  private let context: any TranslationContext
  private let models: ModelMap
  private let found: FoundModels<R, T.Model>
  private let all: ChangeSet
  private let edits: RecordEdits<R>
  /// The records to write, with their new values.
  private var written: [R] = []
  private var deletedModels: [T.Model] = []

  init(
    _ changes: ChangeSet, by translator: T, in context: any TranslationContext, _ models: ModelMap
  ) throws {
    self.translator = translator
    self.context = context
    self.models = models
    found = try models.found(of: translator)
    all = changes
    edits = changes.edits(of: R.self) ?? RecordEdits()
  }

  func check() throws {
    try found.find(edits.ids, by: translator, in: context)
    var stored: [R.ID: StoredRecord<R>] = [:]
    func addStored(_ id: R.ID, isCompared: Bool) throws {
      guard let model = found[id] else { return }
      stored[id] = isCompared ? .record(try translator.translate(model)) : .unread
    }
    // Only a version can show a conflict; without one, do not translate what is deleted.
    for record in edits.deleted { try addStored(record.id, isCompared: record is any Versioned) }
    for change in edits.updated {
      try addStored(change.ref.id, isCompared: change.old != nil || change.properties != nil)
    }
    for record in edits.inserted { try addStored(record.id, isCompared: false) }
    try edits.check { stored[$0] ?? .missing }
    written = try edits.written { stored[$0] ?? .missing }
  }

  var targets: [AnyRef] {
    let relationships = R.relationships.elements
    return written.flatMap { record in relationships.flatMap { $0.refs(record) } }
  }

  func insert() throws {
    for record in edits.inserted {
      var model = try translator.asking { try context.insertModel(for: record, by: translator) }
      if let unmapped = all.unmapped(of: record.ref) {
        try translator.restore(unmapped, to: &model, of: record.id)
      }
      try verify(model, is: record)
      found[record.id] = model
    }
    for record in edits.deleted {
      if let model = found[record.id] {
        if let unmapped = try translator.unmapped(of: model, record.id) {
          all.keep(unmapped, of: record.ref)
        }
        deletedModels.append(model)
      }
      found[record.id] = nil
    }
  }

  func fill() throws {
    for record in written {
      guard var model = found[record.id] else { continue }
      try translator.fill(&model, from: record, in: models)
      try verify(model, is: record)
      try context.save(model, by: translator)
      // If model objects are values, others must find the updated one.
      found[record.id] = model
    }
  }

  private func verify(_ model: T.Model, is record: R) throws {
    let id = try translator.identify(model)
    if id != record.id {
      throw KinshipError.misuse(.identityChanged(from: AnyRef(record.ref), to: AnyRef(Ref<R>(id))))
    }
  }

  func delete() throws {
    for model in deletedModels { try context.delete(model, by: translator) }
  }
}
