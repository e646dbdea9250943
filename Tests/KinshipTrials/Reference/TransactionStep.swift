import KinshipTestSupport

/// A step of a user's transaction.
///
/// The written value depends on the values read before it.
enum TransactionStep: Command {
  case insert(Key, Entry)
  case put(Key, Entry)
  case updateProperty(Key, Int)
  case updateRelationship(Key, [Int])
  case updateClosure(Key, Entry)
  case assign(Key, Entry?)
  case delete(Key)
  /// Two records of a type in one call, or the same one twice.
  case deleteBoth(Key, Int)
  case preview(Key)
  case read(Key)
  case fail

  static func random(using generator: inout SplitMix64) -> TransactionStep {
    let key = Key.all.randomElement(using: &generator) ?? Key(.author, 0)
    let entry = Entry.random(using: &generator)
    return switch Int.random(in: 0..<52, using: &generator) {
    case 0..<6: .insert(key, entry)
    case 6..<10: .put(key, entry)
    case 10..<18: .updateProperty(key, entry.value)
    case 18..<21: .updateRelationship(key, entry.many)
    case 21..<25: .updateClosure(key, entry)
    case 25..<27: .assign(key, generator.chance(0.3) ? nil : entry)
    case 27..<33: .delete(key)
    case 33..<35: .deleteBoth(key, Int.random(in: Key.numbers, using: &generator))
    case 35..<37: .preview(key)
    case 37..<51: .read(key)
    default: .fail
    }
  }

  /// The same step, with a value that depends on the values read before.
  func depending(on seen: Int) -> TransactionStep {
    switch self {
    case .insert(let key, let entry): .insert(key, entry.adding(seen))
    case .put(let key, let entry): .put(key, entry.adding(seen))
    case .updateProperty(let key, let value): .updateProperty(key, (value + seen) % 100)
    case .updateClosure(let key, let entry): .updateClosure(key, entry.adding(seen))
    case .assign(let key, let entry): .assign(key, entry?.adding(seen))
    case .updateRelationship, .delete, .deleteBoth, .preview, .read, .fail: self
    }
  }

  /// Whether the closure continues if the step lacks a record.
  var goesOn: Bool {
    if case .preview = self { false } else { true }
  }

  var shrunk: [TransactionStep] {
    switch self {
    case .insert(let key, let entry): entry.shrunk.map { .insert(key, $0) }
    case .put(let key, let entry): entry.shrunk.map { .put(key, $0) }
    case .updateRelationship(let key, let many): many.shrunk.map { .updateRelationship(key, $0) }
    case .updateClosure(let key, let entry): entry.shrunk.map { .updateClosure(key, $0) }
    case .assign(let key, let entry): entry?.shrunk.map { .assign(key, $0) } ?? []
    case .deleteBoth(let key, _): [.delete(key)]
    default: []
    }
  }
}
