internal import Kinship

extension ChangeSet {
  /// Applies the changes to model objects, within one transaction of a session; if it throws, some
  /// may have been applied.
  ///
  /// - Parameters:
  ///   - translators: The translators of the changed types.
  ///   - all: The translators of the store, by record type.
  ///   - context: Finds, makes and deletes model objects.
  /// - Throws: The errors of the translators and of the context.
  func apply(
    by translators: [any Translator], of all: [ObjectIdentifier: any Translator],
    in context: any TranslationContext
  ) throws {
    let models = ModelMap(context)
    let types = try translators.map { try $0.changes(in: self, context, models) }
    // 1. Check all changes before anything is changed.
    for changes in types { try changes.check() }
    // 2. Find the targets of refs, in one call for each type. Without a translator, no translator
    //    can ask for such model objects.
    let targets = Dictionary(grouping: types.flatMap { $0.targets }) { ObjectIdentifier($0.type) }
    for (type, refs) in targets { try all[type]?.find(refs, among: models) }
    // 3. Make the new model objects, empty, so that any can refer to any.
    for changes in types { try changes.insert() }
    // 4. Fill the model objects that are new or changed.
    for changes in types { try changes.fill() }
    // 5. Delete last, when nothing refers to the deleted objects: otherwise their own delete rules
    //    might delete others as well.
    for changes in types { try changes.delete() }
  }
}

extension Translator {
  fileprivate func changes(
    in changes: ChangeSet, _ context: any TranslationContext, _ models: ModelMap
  ) throws -> any ErasedModelChanges {
    try TypedModelChanges(changes, by: self, in: context, models)
  }

  fileprivate func find(_ refs: [AnyRef], among models: ModelMap) throws {
    try models.find(refs.compactMap { $0.as(Translated.self)?.id }, by: self)
  }
}

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
    all = changes
    edits = changes.edits(of: R.self) ?? RecordEdits()
    found = try models.find([], by: translator)
  }

  func check() throws {
    try models.find(edits.ids, by: translator)
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
        try translator.naming(record.id) { try translator.restore(unmapped, to: &model) }
      }
      try verify(model, is: record)
      found[record.id] = model
    }
    for record in edits.deleted {
      if let model = found[record.id] {
        let unmapped = try translator.naming(record.id) { try translator.unmapped(of: model) }
        if let unmapped { all.keep(unmapped, of: record.ref) }
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
