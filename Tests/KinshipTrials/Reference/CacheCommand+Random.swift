import Kinship
import KinshipMemoryPressure
import KinshipTestSupport

extension CacheCommand {
  private enum Name {
    case put, putMany, updateProperty, updateClosure, updateThatThrows, remove, removeAll
    case read, readInPlace, readMany, reduce, find, findMany, query, resolve, resolveMany, related,
      graph, graphs, expand
    case findWithin, queryWithin, graphWithin, refresh, advance
    case evict, invalidate, trim, pressure, lease, leaseGraph, endLease, listen, store, write
    case capture, readCapture, endCapture, restore
  }

  private static let names = WeightedChoice<Name>([
    (12, .put), (3, .putMany), (3, .updateProperty), (5, .updateClosure),
    (1, .updateThatThrows), (4, .remove), (1, .removeAll), (8, .read), (2, .readInPlace),
    (4, .readMany), (2, .reduce), (6, .find),
    (5, .findMany), (4, .query), (3, .resolve), (3, .resolveMany), (4, .related), (12, .graph),
    (5, .graphs), (5, .expand),
    (6, .findWithin), (4, .queryWithin), (6, .graphWithin), (3, .refresh), (10, .advance),
    (4, .evict), (4, .invalidate), (2, .trim), (1, .pressure), (3, .lease), (2, .leaseGraph),
    (4, .endLease),
    (2, .listen), (14, .store), (12, .write),
    (3, .capture), (8, .readCapture), (3, .endCapture), (3, .restore),
  ])

  /// A random command.
  static func random(using generator: inout SplitMix64) -> CacheCommand {
    let kind: Kind = generator.chance(0.5) ? .author : .work
    let key = Key(kind, Int.random(in: Key.numbers, using: &generator))
    func numbers() -> [Int] {
      (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        Int.random(in: Key.numbers, using: &generator)
      }
    }
    func limit() -> Int { Int.random(in: 0...20, using: &generator) }
    switch names.draw(using: &generator) {
    case .put: return .put(key, .random(using: &generator))
    case .putMany: return .putMany(kind, numbers(), .random(using: &generator))
    case .updateProperty: return .updateProperty(key, Int.random(in: 0..<100, using: &generator))
    case .updateClosure: return .updateClosure(key, .random(using: &generator))
    case .updateThatThrows: return .updateThatThrows(key)
    case .remove: return .remove(key)
    case .removeAll: return .removeAll
    case .read: return .read(key)
    case .readInPlace: return .readInPlace(key)
    case .readMany: return .readMany(kind, numbers())
    case .reduce: return .reduce(kind, numbers())
    case .find: return .find(key)
    case .findMany: return .findMany(kind, numbers())
    case .query:
      return .query(
        kind, descending: generator.chance(0.5), offset: Int.random(in: 0...2, using: &generator),
        limit: generator.chance(0.5) ? nil : Int.random(in: 0...5, using: &generator),
        passing: generator.chance(0.4))
    case .findWithin: return .findWithin(kind, numbers(), limit())
    case .queryWithin:
      return .queryWithin(
        kind, descending: generator.chance(0.5),
        limit: generator.chance(0.6) ? nil : Int.random(in: 0...5, using: &generator),
        generator.chance(0.2) ? nil : limit())
    case .graphWithin:
      return .graphWithin(
        key, .random(using: &generator), generator.chance(0.2) ? nil : limit())
    case .refresh: return .refresh(kind, numbers())
    case .advance: return .advance(Int.random(in: 1...12, using: &generator))
    case .resolve: return .resolve(key)
    case .resolveMany: return .resolveMany(kind, numbers())
    case .related: return .related(key, .random(using: &generator))
    case .graph: return .graph(key, .random(using: &generator))
    case .graphs:
      return .graphs(
        kind, numbers(), .random(using: &generator),
        within: generator.chance(0.3) ? limit() : nil)
    case .expand:
      return .expand(
        Int.random(in: 0..<3, using: &generator), key, .random(using: &generator),
        within: generator.chance(0.3) ? limit() : nil)
    case .evict: return .evict(key)
    case .invalidate: return .invalidate(key)
    case .trim: return .trim(Int.random(in: 0...8, using: &generator))
    case .pressure: return .pressure(generator.chance(0.7) ? .warning : .critical)
    case .lease: return .lease(kind, numbers())
    case .leaseGraph: return .leaseGraph(Int.random(in: 0..<3, using: &generator))
    case .endLease: return .endLease(Int.random(in: 0..<4, using: &generator))
    case .write: return .write(.random(using: &generator))
    case .capture: return .capture
    case .readCapture: return .readCapture(Int.random(in: 1...4, using: &generator))
    case .endCapture: return .endCapture
    case .restore: return .restore
    case .listen: return .listen(generator.chance(0.6))
    case .store:
      return .store(key, generator.chance(0.15) ? nil : .random(using: &generator))
    }
  }
}

extension Entry {
  /// A random entry, with some extreme costs.
  static func random(using generator: inout SplitMix64) -> Entry {
    var entry = Entry()
    entry.value = Int.random(in: 0..<100, using: &generator)
    entry.cost = Int.random(in: 0...4, using: &generator)
    if generator.chance(0.02) {
      entry.cost = [-1, .min, .max].randomElement(using: &generator) ?? 0
    }
    if generator.chance(0.6) { entry.one = Int.random(in: Key.numbers, using: &generator) }
    entry.many = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      Int.random(in: Key.numbers, using: &generator)
    }
    return entry
  }
}
