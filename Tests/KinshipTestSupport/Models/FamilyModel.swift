/// An instance of a class of the model layer: bound to a context, and to the queue of its session.
package class FamilyModel {
  fileprivate let context: FamilyContext

  package required init(in context: FamilyContext) { self.context = context }

  /// The id, of any type.
  var anyID: AnyHashable { 0 }

  /// Gives the model its id, if it is of the right type.
  func setID(_ id: some Hashable & Sendable) {}

  /// Commits the values of the model.
  func commit() {}

  /// Rolls back to the last committed values of the model.
  func rollback() {}

  /// Releases all other models, because they may refer to this one.
  func clear() {}
}

/// A model with values that can be rolled back.
package class ManagedModel<Values: ModelValues>: FamilyModel, Identifiable {
  private var stored = Values()
  private var committed: Values?

  /// The values of the model.
  ///
  /// Access outside its session is noted as a stray.
  var values: Values {
    get {
      context.noteAccess()
      return stored
    }
    set {
      context.noteAccess()
      if committed == nil {
        committed = stored
        context.noteChange(of: self)
      }
      stored = newValue
    }
  }

  package var id: Values.ID {
    get { values.id }
    set { values.id = newValue }
  }

  override var anyID: AnyHashable { AnyHashable(stored.id) }

  override func setID(_ id: some Hashable & Sendable) {
    if let id = id as? Values.ID { self.id = id }
  }

  override func commit() { committed = nil }

  override func rollback() {
    if let committed { stored = committed }
    committed = nil
  }

  override func clear() { stored = Values() }
}

/// The values of a model.
package protocol ModelValues: Identifiable where ID: Sendable {
  var id: ID { get set }
  init()
}
