import KinshipTestSupport

/// What a user can do in a transaction.
enum TransactionStep: Command {
  case insert(Key, Entry)
  case put(Key, Entry)
  case replace(Key, Entry)
  case updateProperty(Key, Int)
  case updateRelationship(Key, [Int])
  case updateClosure(Key, Entry)
  case assign(Key, Entry?)
  case delete(Key)
  case preview(Key)
  case read(Key)
  case fail

  static func random(using generator: inout SplitMix64) -> TransactionStep {
    let key = Key.all.randomElement(using: &generator) ?? Key(.author, 0)
    let entry = Entry.random(using: &generator)
    return switch Int.random(in: 0..<40, using: &generator) {
    case 0..<6: .insert(key, entry)
    case 6..<10: .put(key, entry)
    case 10..<12: .replace(key, entry)
    case 12..<18: .updateProperty(key, entry.value)
    case 18..<21: .updateRelationship(key, entry.many)
    case 21..<23: .updateClosure(key, entry)
    case 23..<25: .assign(key, generator.chance(0.3) ? nil : entry)
    case 25..<33: .delete(key)
    case 33..<35: .preview(key)
    case 35..<39: .read(key)
    default: .fail
    }
  }

  var shrunk: [TransactionStep] {
    switch self {
    case .insert(let key, let entry): entry.shrunk.map { .insert(key, $0) }
    case .put(let key, let entry): entry.shrunk.map { .put(key, $0) }
    case .replace(let key, let entry): entry.shrunk.map { .replace(key, $0) }
    case .updateRelationship(let key, let many): many.shrunk.map { .updateRelationship(key, $0) }
    case .updateClosure(let key, let entry): entry.shrunk.map { .updateClosure(key, $0) }
    case .assign(let key, let entry): entry?.shrunk.map { .assign(key, $0) } ?? []
    default: []
    }
  }
}
