import Kinship
import KinshipTranslation

/// A property of a record, to be copied from one record to another.
struct CopiedProperty<R: GraphRecord & Equatable>: Sendable, CustomStringConvertible {
  let description: String
  let copy: @Sendable (R, inout R) -> Void

  init<Value: Sendable>(_ name: String, _ path: any WritableKeyPath<R, Value> & Sendable) {
    description = name
    copy = { $1[keyPath: path] = $0[keyPath: path] }
  }

  /// Whether two records have the same value.
  func isEqual(_ first: R, _ second: R) -> Bool {
    var copy = second
    self.copy(first, &copy)
    return copy == second
  }
}

/// The ways to leave out a property.
enum Omission: CaseIterable {
  case reading, writing, both
  /// Writes a value, and leaves it when it is removed.
  case clearing
}

/// A translator that leaves out one property.
struct ForgetfulTranslator<Base: Translator>: Translator where Base.Translated: Equatable {
  let base: Base
  let property: CopiedProperty<Base.Translated>
  let omission: Omission
  /// The record of an empty model object.
  let blank: Base.Translated

  func id(of model: Base.Model) throws -> Base.Translated.ID { try base.id(of: model) }

  func record(from model: Base.Model) throws -> Base.Translated {
    var record = try base.record(from: model)
    if omission == .reading || omission == .both { property.copy(blank, &record) }
    return record
  }

  func update(
    _ model: inout Base.Model, from record: Base.Translated, in models: ModelMap
  ) throws {
    var record = record
    let leavesOut =
      switch omission {
      case .reading: false
      case .writing, .both: true
      case .clearing: property.isEqual(blank, record)
      }
    // A new model object cannot be read yet.
    if leavesOut { property.copy((try? base.record(from: model)) ?? blank, &record) }
    try base.update(&model, from: record, in: models)
  }
}
