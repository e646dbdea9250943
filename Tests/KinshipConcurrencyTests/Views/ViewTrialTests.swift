import Kinship
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Random functions over random families: a view equals its function over the records of one
/// version, whatever was loaded when.
@Suite(.dedicatedThreads, .tags(.lawV1, .lawV2))
struct ViewTrialTests {
  private static let people = 12

  /// A function from a person to a text.
  indirect enum Look: Sendable, CustomStringConvertible {
    case name
    case father(Look)
    case mother(Look)
    case parents(Look, Look)
    case children(Look)
    case firstChild(Look)
    case parentsByInverse(Look)
    case events
    case places
    case ifNamedEarly(Look)

    static func random(_ depth: Int, using generator: inout SplitMix64) -> Look {
      func inner() -> Look { random(depth - 1, using: &generator) }
      if depth == 0 { return generator.chance(0.5) ? .name : .events }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return .name
      case 1: return .father(inner())
      case 2: return .mother(inner())
      case 3: return .parents(inner(), inner())
      case 4: return .children(inner())
      case 5: return .firstChild(inner())
      case 6: return .parentsByInverse(inner())
      case 7: return .events
      case 8: return .places
      default: return .ifNamedEarly(inner())
      }
    }

    var description: String {
      switch self {
      case .name: "name"
      case .father(let look): "father(\(look))"
      case .mother(let look): "mother(\(look))"
      case .parents(let one, let other): "parents(\(one), \(other))"
      case .children(let look): "children(\(look))"
      case .firstChild(let look): "firstChild(\(look))"
      case .parentsByInverse(let look): "parentsByInverse(\(look))"
      case .events: "events"
      case .places: "places"
      case .ifNamedEarly(let look): "ifNamedEarly(\(look))"
      }
    }

    static let inverse = Inverse<TestPerson, TestPerson>(\.children)

    func of(_ person: Node<TestPerson>) -> String {
      switch self {
      case .name: return person.name
      case .father(let look): return person.father.map(look.of) ?? "-"
      case .mother(let look): return person.mother.map(look.of) ?? "-"
      case .parents(let one, let other):
        return "(\(person.father.map(one.of) ?? "-") \(person.mother.map(other.of) ?? "-"))"
      case .children(let look): return "[\(person.children.map(look.of).joined(separator: ","))]"
      case .firstChild(let look): return person.children.first.map(look.of) ?? "-"
      case .parentsByInverse(let look):
        return "<\(person[Self.inverse].map(look.of).joined(separator: ","))>"
      case .events: return person.events.map(\.title).joined(separator: "+")
      case .places: return person.events.map { $0.place?.name ?? "?" }.joined(separator: "+")
      case .ifNamedEarly(let look): return person.name < "n" ? look.of(person) : "late"
      }
    }

    func of(_ id: Int, _ world: World) -> String? {
      guard let person = world.people[id] else { return nil }
      func first(_ ref: Ref<TestPerson>?, _ look: Look) -> String {
        ref.flatMap { look.of($0.id, world) } ?? "-"
      }
      switch self {
      case .name: return person.name
      case .father(let look): return first(person.father, look)
      case .mother(let look): return first(person.mother, look)
      case .parents(let one, let other):
        return "(\(first(person.father, one)) \(first(person.mother, other)))"
      case .children(let look):
        return "[\(person.children.compactMap { look.of($0.id, world) }.joined(separator: ","))]"
      case .firstChild(let look):
        return person.children.lazy.compactMap { look.of($0.id, world) }.first ?? "-"
      case .parentsByInverse(let look):
        let parents = world.people.values.filter { $0.children.contains(Ref(id)) }.map(\.id)
        return "<\(parents.sorted().compactMap { look.of($0, world) }.joined(separator: ","))>"
      case .events:
        return person.events.compactMap { world.events[$0.id]?.title }.joined(separator: "+")
      case .places:
        return person.events.compactMap { world.events[$0.id] }
          .map { event in event.place.flatMap { world.places[$0.id]?.name } ?? "?" }
          .joined(separator: "+")
      case .ifNamedEarly(let look): return person.name < "n" ? look.of(id, world) : "late"
      }
    }
  }

  struct World: Sendable {
    var people: [Int: TestPerson] = [:]
    var events: [Int: TestEvent] = [:]
    var places: [Int: TestPlace] = [:]
  }

  enum Step: Command {
    case rename(Int, String)
    case marry(Int, father: Int?, mother: Int?)
    case adopt(Int, [Int])
    case attend(Int, [Int])
    case retitle(Int, String)
    case move(event: Int, place: Int?)
    case region(Int, Int)
    case renamePlace(Int, String)
    case put(Int, String)
    case remove(Int)
    case invalidate(Int)
    case trim(Int)
    case removeAll

    static func random(using generator: inout SplitMix64) -> Step {
      let count = ViewTrialTests.people
      func number() -> Int { Int.random(in: 0..<count + 2, using: &generator) }
      func maybe() -> Int? { generator.chance(0.7) ? number() : nil }
      func some() -> [Int] {
        Array(Set((0..<Int.random(in: 0..<4, using: &generator)).map { _ in number() })).sorted()
      }
      func word() -> String { String("abcnopxyz".randomElement(using: &generator) ?? "a") }
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<3: return .rename(number(), word())
      case 3..<5: return .marry(number(), father: maybe(), mother: maybe())
      case 5..<7: return .adopt(number(), some())
      case 7, 8: return .attend(number(), some())
      case 9, 10: return .retitle(number(), word())
      case 11: return .move(event: number(), place: maybe())
      case 12: return .region(number(), number())
      case 13: return .renamePlace(number(), word())
      case 14, 15: return .put(number(), word())
      case 16: return .remove(number())
      case 17: return .invalidate(number())
      case 18: return .trim(Int.random(in: 0..<10, using: &generator))
      default: return .removeAll
      }
    }
  }

  /// A family, its cache, and the same records in dictionaries.
  private struct System {
    var world = World()
    let cache: GraphCache
    let hasStore: Bool

    init(using generator: inout SplitMix64) async throws {
      let count = ViewTrialTests.people
      func maybe() -> Int? {
        generator.chance(0.6) ? Int.random(in: 0..<count + 2, using: &generator) : nil
      }
      func some() -> [Int] {
        Array(
          Set(
            (0..<Int.random(in: 0..<3, using: &generator)).map { _ in
              Int.random(in: 0..<count + 2, using: &generator)
            }))
      }
      for id in 0..<count {
        world.people[id] = TestPerson(
          id: id, name: "p\(id)", father: maybe().map { Ref($0) }, mother: maybe().map { Ref($0) },
          children: some().map { Ref($0) }, events: some().map { Ref($0) })
        world.events[id] = TestEvent(
          id: id, title: "e\(id)", person: Ref(id), place: maybe().map { Ref($0) })
        world.places[id] = TestPlace(id: id, name: "l\(id)", region: nil)
      }
      hasStore = generator.chance(0.7)
      let capacity = generator.chance(0.3) ? Int.random(in: 0..<20, using: &generator) : 1_000
      let records = (
        Array(world.people.values), Array(world.events.values), Array(world.places.values)
      )
      if hasStore {
        let store = MemoryStore(records.0)
        store.insert(records.1)
        store.insert(records.2)
        cache = try GraphCache(
          for: TestPerson.self, TestEvent.self, TestPlace.self, store: store, capacity: capacity)
      } else {
        cache = try GraphCache(for: TestPerson.self, TestEvent.self, TestPlace.self)
        try await cache.put(contentsOf: records.0)
        try await cache.put(contentsOf: records.1)
        try await cache.put(contentsOf: records.2)
      }
    }

    mutating func perform(_ step: Step) async throws {
      switch step {
      case .rename(let id, let name): try await change(id) { $0.name = name }
      case .marry(let id, let father, let mother):
        try await change(id) {
          ($0.father, $0.mother) = (father.map { Ref($0) }, mother.map { Ref($0) })
        }
      case .adopt(let id, let children):
        try await change(id) { $0.children = children.map { Ref($0) } }
      case .attend(let id, let events):
        try await change(id) { $0.events = events.map { Ref($0) } }
      case .retitle(let id, let title):
        guard world.events[id] != nil else { return }
        world.events[id]?.title = title
        _ = try await cache.write { tx throws(KinshipError) in
          try tx.update(Ref<TestEvent>(id), \.title, to: title)
        }
      case .move(let id, let place):
        guard world.events[id] != nil else { return }
        world.events[id]?.place = place.map { Ref($0) }
        _ = try await cache.write { tx throws(KinshipError) in
          try tx.update(Ref<TestEvent>(id), \.place, to: place.map { Ref($0) })
        }
      case .region(let id, let region):
        guard world.places[id] != nil else { return }
        world.places[id]?.region = Ref(region)
        _ = try await cache.write { tx throws(KinshipError) in
          try tx.update(Ref<TestPlace>(id), \.region, to: Ref(region))
        }
      case .renamePlace(let id, let name):
        guard world.places[id] != nil else { return }
        world.places[id]?.name = name
        _ = try await cache.write { tx throws(KinshipError) in
          try tx.update(Ref<TestPlace>(id), \.name, to: name)
        }
      case .put(let id, let name):
        guard world.people[id] == nil else { return }
        let person = TestPerson(id: id, name: name)
        world.people[id] = person
        _ = try await cache.write { tx throws(KinshipError) in try tx.insert(person) }
      case .remove(let id):
        guard world.people[id] != nil, !hasStore else { return }
        world.people[id] = nil
        await cache.remove(Ref<TestPerson>(id))
      case .invalidate(let id): if hasStore { await cache.invalidate(Ref<TestPerson>(id)) }
      case .trim(let count): if hasStore { await cache.trim(to: count) }
      case .removeAll: if hasStore { await cache.removeAll() }
      }
    }

    private mutating func change(
      _ id: Int, _ body: @escaping @Sendable (inout TestPerson) -> Void
    ) async throws {
      guard var person = world.people[id] else { return }
      body(&person)
      world.people[id] = person
      let new = person
      _ = try await cache.write { tx throws(KinshipError) in try tx.put(new) }
    }

    func expected(_ look: Look) -> [String] {
      world.people.keys.sorted().compactMap { look.of($0, world) }
    }
  }

  private static let query = RecordQuery<TestPerson>().sorted(by: \.id)

  @Test func `a view equals its function applied to one version`() async throws {
    try await Property.check(seeds: 300, steps: 12, generate: Step.random) { steps, seed in
      var generator = SplitMix64(seed: seed)
      var system = try await System(using: &generator)
      let looks = (0..<3).map { _ in Look.random(3, using: &generator) }
      for step in [nil] + steps.map(Optional.some) {
        if let step { try await system.perform(step) }
        for look in looks {
          let found = try await system.cache.find(Self.query.view { look.of($0) })
          try verifyEqual(found, system.expected(look), "\(look)")
          let one = try await system.cache.find(Ref<TestPerson>(3).view { look.of($0) })
          try verifyEqual(one, look.of(3, system.world), "\(look) of one")
          let known = system.cache.peek(Self.query.view { look.of($0) })
          if case .complete(let rows) = known {
            try verifyEqual(Array(rows), system.expected(look), "what is known of \(look)")
          }
        }
      }
    }
  }

  /// Each element differs from the one before, and its difference gives the new value from the old
  /// one.
  @Test func `an observed view notifies of its changes`() async throws {
    try await Property.check(seeds: 300, steps: 20, generate: Step.random) { steps, seed in
      var generator = SplitMix64(seed: seed)
      var system = try await System(using: &generator)
      let look = Look.random(3, using: &generator)
      var changes = system.cache.observe(Self.query.view { look.of($0) }).makeAsyncIterator()
      var shown: [String] = []
      for (number, step) in ([nil] + steps.map(Optional.some)).enumerated() {
        if let step { try await system.perform(step) }
        let expected = system.expected(look)
        var isFirst = number == 0
        while isFirst || shown != expected {
          let change = try #require(try await changes.next())
          let value = Array(change.value)
          try verifyEqual(Self.applying(change.diff, to: shown), value, "the difference of \(look)")
          try verify(isFirst || value != shown, "\(look) was shown again")
          (shown, isFirst) = (value, false)
        }
      }
      try verifyEqual(await system.cache.audit(), [], "the audit")
    }
  }

  static func applying(_ diff: RowDiff<String>, to list: [String]) -> [String] {
    let leaving = Set(diff.removed.map(\.position)).union(diff.moved.map(\.from))
    var staying = list.indices.filter { !leaving.contains($0) }.makeIterator()
    var arriving: [Int: String] = [:]
    for place in diff.inserted { arriving[place.position] = place.row }
    for move in diff.moved { arriving[move.to] = list[move.from] }
    var result: [String] = []
    for position in 0..<max(0, list.count - diff.removed.count + diff.inserted.count) {
      if let row = arriving[position] {
        result.append(row)
      } else if let old = staying.next() {
        result.append(list[old])
      }
    }
    for update in diff.updated { result[update.position] = update.new }
    return result
  }
}
