import Kinship
import KinshipTranslation
import KinshipTestSupport

/// Models of another context, and the answers to queries about them.
struct QueryingContext: TranslationContext {
  let base: FamilyContext

  func models<T: Translator>(
    for ids: [T.Translated.ID], by translator: T
  ) throws -> [T.Model] {
    try base.models(for: ids, by: translator)
  }

  func models<T: Translator>(
    matching query: RecordQuery<T.Translated>, by translator: T
  ) throws -> [T.Model]? {
    try models(by: translator) { try query.answer(from: $0) }
  }

  func models<T: Translator, Target: GraphRecord>(
    referringTo targets: [Ref<Target>], by relationship: RecordRelationship<T.Translated>,
    translator: T
  ) throws -> [T.Model]? {
    try models(by: translator) { records in
      records.filter { record in
        !Set(targets).isDisjoint(with: relationship.refs(from: record, to: Target.self))
      }
    }
  }

  func insertModel<T: Translator>(
    for record: T.Translated, by translator: T
  ) throws -> T.Model {
    try base.insertModel(for: record, by: translator)
  }

  func delete<T: Translator>(_ model: T.Model, by translator: T) throws {
    try base.delete(model, by: translator)
  }

  /// The chosen records' models, in their order.
  private func models<T: Translator>(
    by translator: T, _ choose: ([T.Translated]) throws -> [T.Translated]
  ) throws -> [T.Model] {
    let all = try base.everything(by: translator)
    let byID = Dictionary(
      uniqueKeysWithValues: try all.map { (try translator.id(of: $0), $0) })
    return try choose(try all.map(translator.record)).compactMap { byID[$0.id] }
  }
}
