import Kinship
import KinshipTesting
import KinshipTestSupport

/// A step of a program that reads a family, from a person that it has read before.
enum Stroll: Command, CustomStringConvertible {
  case begin(Int)
  case father(Int)
  case mother(Int)
  case children(Int)
  case events(Int)
  case places(Int)
  case graph(Int, generations: Int)
  case childrenOfFather(Int)
  case absent

  static let childrenOfFather = Inverse<TestPerson, TestPerson>(\.father)

  static func random(using random: inout SplitMix64) -> Stroll {
    let place = Int.random(in: 0..<12, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .begin(place)
    case 1, 2: return .father(place)
    case 3, 4: return .mother(place)
    case 5: return .children(place)
    case 6, 7: return .events(place)
    case 8: return .places(place)
    case 9: return .graph(place, generations: place % 3)
    case 10: return .childrenOfFather(place)
    default: return .absent
    }
  }

  var shrunk: [Stroll] {
    if case .graph(let place, let generations) = self, generations > 0 {
      return [.father(place), .graph(place, generations: generations - 1)]
    }
    return []
  }

  var description: String {
    switch self {
    case .begin(let id): "begin with \(id)"
    case .father(let place): "father of \(place)"
    case .mother(let place): "mother of \(place)"
    case .children(let place): "children of \(place)"
    case .events(let place): "events of \(place)"
    case .places(let place): "places of \(place)"
    case .graph(let place, let generations): "graph of \(place) to \(generations)"
    case .childrenOfFather(let place): "children of the father \(place)"
    case .absent: "nobody"
    }
  }

  /// The reads of a program so far.
  struct Reader {
    let cache: GraphCache
    private(set) var people: [TestPerson] = []
    private var events: [TestEvent] = []
    /// The refs read, in order.
    private(set) var refs: [AnyRef] = []

    init(_ cache: GraphCache) { self.cache = cache }

    mutating func follow(_ steps: [Stroll]) async throws {
      for step in steps { try await follow(step) }
    }

    private mutating func follow(_ step: Stroll) async throws {
      func person(_ place: Int) -> TestPerson? {
        people.isEmpty ? nil : people[place % people.count]
      }
      switch step {
      case .begin(let id): try await note([cache.resolve(Ref<TestPerson>(id))])
      case .absent: _ = try await cache.find(Ref<TestPerson>(-1))
      case .father(let place):
        guard let person = person(place) else { return }
        try await note([cache.resolve(person.father)].compactMap { $0 })
      case .mother(let place):
        guard let mother = person(place)?.mother else { return }
        try await note([cache.resolve(mother)])
      case .children(let place):
        guard let person = person(place) else { return }
        try await note(cache.resolve(person.children))
      case .events(let place):
        guard let person = person(place) else { return }
        let found = try await cache.resolve(person.events)
        events += found
        refs += found.map { AnyRef($0.ref) }
      case .places(let place):
        guard !events.isEmpty else { return }
        let found = try await cache.resolve(events[place % events.count].place)
        refs += found.map { [AnyRef($0.ref)] } ?? []
      case .graph(let place, let generations):
        guard let person = person(place) else { return }
        let plan = Plan<TestPerson>.following(\.father, \.mother, generations: generations)
          .following(\.events)
        let graph = try await cache.graph(of: person.ref, plan)
        note(graph.records(of: TestPerson.self))
        refs += graph.refs
      case .childrenOfFather(let place):
        guard let person = person(place) else { return }
        let found = try await cache.find(person.ref.related(Stroll.childrenOfFather))
        note(found.sorted { $0.id < $1.id })
      }
    }

    private mutating func note(_ found: [TestPerson]) {
      people += found
      refs += found.map { AnyRef($0.ref) }
    }
  }
}
