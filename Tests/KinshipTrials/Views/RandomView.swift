import Kinship
import KinshipTestSupport

/// A random function from a person to a text.
indirect enum RandomView: Sendable, CustomStringConvertible {
  case name
  case father(RandomView)
  case mother(RandomView)
  case parents(RandomView, RandomView)
  case children(RandomView)
  case firstChild(RandomView)
  case parentsByInverse(RandomView)
  case events
  case places
  case ifNamedEarly(RandomView)

  static func random(_ depth: Int, using generator: inout SplitMix64) -> RandomView {
    func inner() -> RandomView { random(depth - 1, using: &generator) }
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
    case .father(let view): "father(\(view))"
    case .mother(let view): "mother(\(view))"
    case .parents(let one, let other): "parents(\(one), \(other))"
    case .children(let view): "children(\(view))"
    case .firstChild(let view): "firstChild(\(view))"
    case .parentsByInverse(let view): "parentsByInverse(\(view))"
    case .events: "events"
    case .places: "places"
    case .ifNamedEarly(let view): "ifNamedEarly(\(view))"
    }
  }

  static let inverse = Inverse<TestPerson, TestPerson>(\.children)

  func of(_ person: Node<TestPerson>) -> String {
    switch self {
    case .name: return person.name
    case .father(let view): return person.father.map(view.of) ?? "-"
    case .mother(let view): return person.mother.map(view.of) ?? "-"
    case .parents(let one, let other):
      return "(\(person.father.map(one.of) ?? "-") \(person.mother.map(other.of) ?? "-"))"
    case .children(let view): return "[\(person.children.map(view.of).joined(separator: ","))]"
    case .firstChild(let view): return person.children.first.map(view.of) ?? "-"
    case .parentsByInverse(let view):
      return "<\(person[Self.inverse].map(view.of).joined(separator: ","))>"
    case .events: return person.events.map(\.title).joined(separator: "+")
    case .places: return person.events.map { $0.place?.name ?? "?" }.joined(separator: "+")
    case .ifNamedEarly(let view): return person.name < "n" ? view.of(person) : "late"
    }
  }

  func of(_ id: Int, _ world: ViewWorld) -> String? {
    guard let person = world.people[id] else { return nil }
    func first(_ ref: Ref<TestPerson>?, _ view: RandomView) -> String {
      ref.flatMap { view.of($0.id, world) } ?? "-"
    }
    switch self {
    case .name: return person.name
    case .father(let view): return first(person.father, view)
    case .mother(let view): return first(person.mother, view)
    case .parents(let one, let other):
      return "(\(first(person.father, one)) \(first(person.mother, other)))"
    case .children(let view):
      return "[\(person.children.compactMap { view.of($0.id, world) }.joined(separator: ","))]"
    case .firstChild(let view):
      return person.children.lazy.compactMap { view.of($0.id, world) }.first ?? "-"
    case .parentsByInverse(let view):
      let parents = world.people.values.filter { $0.children.contains(Ref(id)) }.map(\.id)
      return "<\(parents.sorted().compactMap { view.of($0, world) }.joined(separator: ","))>"
    case .events:
      return person.events.compactMap { world.events[$0.id]?.title }.joined(separator: "+")
    case .places:
      return person.events.compactMap { world.events[$0.id] }
        .map { event in event.place.flatMap { world.places[$0.id]?.name } ?? "?" }
        .joined(separator: "+")
    case .ifNamedEarly(let view): return person.name < "n" ? view.of(id, world) : "late"
    }
  }
}

/// Records in dictionaries.
struct ViewWorld: Sendable {
  var people: [Int: TestPerson] = [:]
  var events: [Int: TestEvent] = [:]
  var places: [Int: TestPlace] = [:]
}
