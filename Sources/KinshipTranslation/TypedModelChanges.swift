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
  private let inserted: [R]
  private let updated: [UpdatedRecord<R>]
  private let deleted: [R]
  /// The records to write, with their new values.
  private var written: [R] = []
  private var doomed: [T.Model] = []

  init(
    _ changes: ChangeSet, by translator: T, in context: any TranslationContext, _ models: ModelMap
  ) throws {
    self.translator = translator
    self.context = context
    self.models = models
    found = try models.found(of: translator)
    all = changes
    inserted = changes.inserted(R.self)
    updated = changes.updated(R.self)
    deleted = changes.deleted(R.self)
  }

  func check() throws {
    let ids = deleted.map { $0.id } + updated.map { $0.ref.id } + inserted.map { $0.id }
    try found.find(ids, by: translator, in: context)
    for record in deleted {
      guard let model = found[record.id] else {
        throw KinshipError.conflict(AnyRef(record.ref), mine: nil, theirs: nil)
      }
      // Only a version can show a conflict; without one, do not translate.
      if record is any Versioned {
        let stored = try translator.translate(model)
        if !record.isUnchanged(in: stored) {
          throw KinshipError.conflict(AnyRef(record.ref), mine: nil, theirs: stored)
        }
      }
    }
    for change in updated { try check(change) }
    for record in inserted where found[record.id] != nil {
      throw KinshipError.exists(AnyRef(record.ref))
    }
    written += inserted
  }

  private func check(_ change: UpdatedRecord<R>) throws {
    guard let model = found[change.ref.id] else {
      throw KinshipError.conflict(AnyRef(change.ref), mine: change.new, theirs: nil)
    }
    guard change.old != nil || change.properties != nil else {
      guard let new = change.new else { return }
      try change.checkIdentity(of: new)
      written.append(new)
      return
    }
    let stored = try translator.translate(model)
    if change.old?.isUnchanged(in: stored) == false {
      throw KinshipError.conflict(AnyRef(change.ref), mine: change.new, theirs: stored)
    }
    written.append(try change.applied(to: stored))
  }

  var targets: [AnyRef] {
    let relationships = R.relationships.elements
    return written.flatMap { record in relationships.flatMap { $0.refs(record) } }
  }

  func insert() throws {
    for record in inserted {
      var model = try translator.asking { try context.insertModel(for: record, by: translator) }
      if let remains = all.remains(of: record.ref) {
        try translator.restore(remains, to: &model, of: record.id)
      }
      try verify(model, is: record)
      found[record.id] = model
    }
    for record in deleted {
      if let model = found[record.id] {
        if let remains = try translator.remains(of: model, record.id) {
          all.keep(remains, of: record.ref)
        }
        doomed.append(model)
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
      throw KinshipError.identityChanged(from: AnyRef(record.ref), to: AnyRef(Ref<R>(id)))
    }
  }

  func delete() throws {
    for model in doomed { try context.delete(model, by: translator) }
  }
}
