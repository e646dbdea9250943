import Kinship
import KinshipTestSupport

/// The records that a plan must load of a family, by breadth-first search over dictionaries.
struct FamilySearch {
  /// A property of one of the three record types.
  enum Property: Hashable, CaseIterable {
    case father, mother, children, events, person, place, region
  }

  private(set) var order: [AnyRef] = []
  private(set) var generations: [AnyRef: Int] = [:]

  /// Searches.
  ///
  /// - Parameters:
  ///   - family: The records.
  ///   - root: The index of the person to start from.
  ///   - budget: How many records there may be.
  ///   - depth: The generation from which a property is not followed.
  init(
    _ family: TestFamily, from root: Int, budget: Int = .max, depth: (Property) -> Int
  ) {
    let start = AnyRef(family.people[root].ref)
    order = [start]
    generations = [start: 0]
    var head = 0
    while head < order.count {
      let ref = order[head]
      head += 1
      let generation = generations[ref, default: 0]
      for (property, targets) in Self.edges(of: ref, in: family) where depth(property) > generation
      {
        for target in targets where generations[target] == nil && order.count < budget {
          generations[target] = generation + 1
          order.append(target)
        }
      }
    }
  }

  private static func edges(
    of ref: AnyRef, in family: TestFamily
  ) -> [(property: Property, targets: [AnyRef])] {
    func optional<R>(_ ref: Ref<R>?) -> [AnyRef] { ref.map { [AnyRef($0)] } ?? [] }
    if let person = ref.as(TestPerson.self).map({ family.people[$0.id] }) {
      return [
        (.father, optional(person.father)), (.mother, optional(person.mother)),
        (.children, person.children.map { AnyRef($0) }),
        (.events, person.events.map { AnyRef($0) }),
      ]
    }
    if let event = ref.as(TestEvent.self).map({ family.events[$0.id] }) {
      return [(.person, [AnyRef(event.person)]), (.place, optional(event.place))]
    }
    if let place = ref.as(TestPlace.self).map({ family.places[$0.id] }) {
      return [(.region, optional(place.region))]
    }
    return []
  }
}
