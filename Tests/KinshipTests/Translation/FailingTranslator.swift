import Kinship
import KinshipTranslation
import KinshipTestSupport
import Synchronization

/// A translator that fills some models, and then fails in the middle of the next.
final class FailingTranslator<Base: Translator>: Translator {
  private let base: Base
  private let left: Mutex<Int>

  init(_ base: Base, after count: Int) {
    self.base = base
    left = Mutex(count)
  }

  func id(of model: Base.Model) throws -> Base.Translated.ID { try base.id(of: model) }

  func record(from model: Base.Model) throws -> Base.Translated { try base.record(from: model) }

  func update(
    _ model: inout Base.Model, from record: Base.Translated, in models: ModelMap
  ) throws {
    try base.update(&model, from: record, in: models)
    let isLast = left.withLock { left in
      left -= 1
      return left < 0
    }
    if isLast { throw UntranslatableField("name", cause: ScriptedFailure(call: 0)) }
  }
}
