import Kinship
import KinshipTranslation
import Synchronization

/// Counts the translations of model objects, by record.
final class TranslationCounts: Sendable {
  private let counts = Mutex<[AnyRef: Int]>([:])

  func add(_ ref: AnyRef) { counts.withLock { $0[ref, default: 0] += 1 } }

  var all: [AnyRef: Int] { counts.withLock { $0 } }
}

/// A translator that counts its translations.
struct CountingTranslator<Base: Translator>: Translator {
  let base: Base
  let counts: TranslationCounts

  init(_ base: Base, _ counts: TranslationCounts) {
    self.base = base
    self.counts = counts
  }

  func id(of model: Base.Model) throws -> Base.Translated.ID { try base.id(of: model) }

  func record(from model: Base.Model) throws -> Base.Translated {
    let record = try base.record(from: model)
    counts.add(AnyRef(record.ref))
    return record
  }

  func update(
    _ model: inout Base.Model, from record: Base.Translated, in models: ModelMap
  ) throws {
    try base.update(&model, from: record, in: models)
  }
}
