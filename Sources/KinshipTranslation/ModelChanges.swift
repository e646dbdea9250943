internal import Kinship

/// Applies a change set to model objects, within one transaction of a session.
struct ModelChanges {
  private let context: any TranslationContext
  private let registry: TranslatorRegistry
  private let models: ModelMap
  private var types: [any ErasedModelChanges] = []

  init(
    _ changes: ChangeSet, by translators: [any Translator], _ registry: TranslatorRegistry,
    in context: any TranslationContext
  ) throws {
    self.context = context
    self.registry = registry
    models = ModelMap(context)
    for translator in translators {
      types.append(try Self.changes(changes, by: translator, context, models))
    }
  }

  private static func changes<T: Translator>(
    _ changes: ChangeSet, by translator: T, _ context: any TranslationContext, _ models: ModelMap
  ) throws -> any ErasedModelChanges {
    try TypedModelChanges(changes, by: translator, in: context, models)
  }

  /// Applies the changes; if it throws, some may have been applied.
  func make() throws {
    // 1. Check all changes before anything is changed.
    for changes in types { try changes.check() }
    // 2. Find the targets of refs, in one call for each type.
    try findTargets()
    // 3. Make the new model objects, empty, so that any can refer to any.
    for changes in types { try changes.insert() }
    // 4. Fill the model objects that are new or changed.
    for changes in types { try changes.fill() }
    // 5. Delete last, when nothing refers to the deleted objects: otherwise their own delete rules
    //    might delete others as well.
    for changes in types { try changes.delete() }
  }

  private func findTargets() throws {
    var targets: [AnyRef] = []
    for changes in types { targets += changes.targets }
    let byType = Dictionary(grouping: targets) { ObjectIdentifier($0.type) }
    for refs in byType.values {
      // Without a translator, no translator can ask for such model objects.
      guard let type = refs.first?.type, let translator = registry.translator(ofErased: type)
      else { continue }
      try find(refs, by: translator)
    }
  }

  private func find<T: Translator>(_ refs: [AnyRef], by translator: T) throws {
    let ids = refs.compactMap { $0.as(T.Translated.self)?.id }
    try models.found(of: translator).find(ids, by: translator, in: context)
  }
}
