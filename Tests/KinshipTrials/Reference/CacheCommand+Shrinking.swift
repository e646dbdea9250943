import KinshipTestSupport

extension CacheCommand {
  /// The same command in simpler forms.
  var shrunk: [CacheCommand] {
    switch self {
    case .put(let key, let entry): entry.shrunk.map { .put(key, $0) }
    case .putMany(let kind, let numbers, let entry):
      numbers.shrunk.map { .putMany(kind, $0, entry) }
        + entry.shrunk.map { .putMany(kind, numbers, $0) }
    case .updateClosure(let key, let entry): entry.shrunk.map { .updateClosure(key, $0) }
    case .readMany(let kind, let numbers): numbers.shrunk.map { .readMany(kind, $0) }
    case .reduce(let kind, let numbers): numbers.shrunk.map { .reduce(kind, $0) }
    case .findMany(let kind, let numbers): numbers.shrunk.map { .findMany(kind, $0) }
    case .resolveMany(let kind, let numbers): numbers.shrunk.map { .resolveMany(kind, $0) }
    case .related(let key, let entry): entry.shrunk.map { .related(key, $0) }
    case .graph(let key, let plan): plan.shrunk.map { .graph(key, $0) }
    case .graphs(let kind, let numbers, let plan, let limit):
      numbers.shrunk.map { .graphs(kind, $0, plan, within: limit) }
        + plan.shrunk.map { .graphs(kind, numbers, $0, within: limit) }
    case .expand(let graph, let key, let plan, let limit):
      plan.shrunk.map { .expand(graph, key, $0, within: limit) }
    case .findWithin(let kind, let numbers, let limit):
      numbers.shrunk.map { .findWithin(kind, $0, limit) }
    case .graphWithin(let key, let plan, let limit):
      plan.shrunk.map { .graphWithin(key, $0, limit) }
    case .refresh(let kind, let numbers): numbers.shrunk.map { .refresh(kind, $0) }
    case .lease(let kind, let numbers): numbers.shrunk.map { .lease(kind, $0) }
    case .store(let key, let entry): entry?.shrunk.map { .store(key, $0) } ?? []
    case .write(let write): write.shrunk.map { .write($0) }
    default: []
    }
  }
}

extension Entry {
  /// Simpler contents.
  var shrunk: [Entry] {
    var simpler = many.shrunk.map { Entry(value: value, cost: cost, one: one, many: $0) }
    if one != nil { simpler.append(Entry(value: value, cost: cost, many: many)) }
    if value != 0 { simpler.append(Entry(cost: cost, one: one, many: many)) }
    if cost != 1 { simpler.append(Entry(value: value, one: one, many: many)) }
    return simpler
  }
}
