import Kinship
import KinshipTestSupport

@testable import KinshipTrials

extension ObserverProbe {
  /// The ways to observe.
  enum Kind: CaseIterable, Sendable {
    case record, list, toMany, toOne, graph, type, everything
  }

  /// Observes in one way.
  func follow(_ kind: Kind, of number: Int, _ cache: GraphCache, limit: Int, turns: Int) async {
    typealias A = Author<Int>
    let key = Key(.author, number)
    switch kind {
    case .record:
      await follow(cache.observe(A.ref(number)), limit: limit, turns: turns) { change, old in
        let before = (old ?? nil).map { [$0] } ?? []
        return change.diff.applying(to: before).first == change.value
      } matches: { value, world in
        value == world[key].map { A(number, $0) }
      }
    case .list:
      let numbers = [number, 2, 4, 2]
      await follow(cache.observe(numbers.map { A.ref($0) }), limit: limit, turns: turns) {
        $0.diff.applying(to: $1 ?? []) == $0.value
      } matches: { value, world in
        value == numbers.compactMap { number in world[Key(.author, number)].map { A(number, $0) } }
      }
    case .toMany:
      await follow(cache.observe(A.ref(number).related(\.works)), limit: limit, turns: turns) {
        $0.diff.applying(to: $1 ?? []) == $0.value
      } matches: { value, world in
        let works: [Int] = world[key]?.many ?? []
        return value
          == works.compactMap { number in
            world[Key(.work, number)].map { Work(number, $0) }
          }
      }
    case .toOne:
      await follow(cache.observe(A.ref(number).related(\.mentor)), limit: limit, turns: turns) {
        $0.diff.applying(to: $1 ?? []) == $0.value
      } matches: { value, world in
        let mentor = world[key]?.one
        let author = mentor.flatMap { mentor in world[Key(.author, mentor)].map { A(mentor, $0) } }
        return value == (author.map { [$0] } ?? [])
      }
    case .graph:
      let plan = ReferencePlan(generations: 2)
      let root = Key(.author, number)
      await follow(
        cache.observe(A.ref(number).graph(plan.plan(of: A.self))), limit: limit, turns: turns
      ) { change, old in
        let before = (old ?? nil).map { Self.records(of: $0) } ?? [:]
        let after = change.value.map { Self.records(of: $0) } ?? [:]
        return Self.areEqual(change.diff.applying(to: before), after)
      } matches: { value, world in
        guard let value else { return world[root] == nil }
        return ReferenceGraph.search([.init(root: root, plan: plan)], in: world)
          .map { (try? HeldGraph<Int>(value).agrees(with: $0)) ?? false } ?? false
      }
    case .type:
      await follow(cache.observe(A.self), limit: limit, turns: turns) {
        $0.diff.applying(to: $1 ?? [:]) == $0.value
      } matches: { value, world in
        value.allSatisfy { number, author in
          world[Key(.author, number)].map { A(number, $0) } == author
        }
      }
    case .everything:
      await follow(cache.observeAll(), limit: limit, turns: turns) {
        Self.areEqual($0.diff.applying(to: $1 ?? [:]), $0.value)
      } matches: { value, world in
        value.allSatisfy { ref, record in
          if let author = record as? A {
            return world[Key(.author, author.id)].map { A(author.id, $0) } == author
          }
          guard let work = record as? Work<Int> else { return false }
          return world[Key(.work, work.id)].map { Work(work.id, $0) } == work
        }
      }
    }
  }

  private static func records(of graph: Graph<Author<Int>>) -> [AnyRef: any GraphRecord] {
    var records: [AnyRef: any GraphRecord] = [:]
    for author in graph.records(of: Author<Int>.self) { records[AnyRef(author.ref)] = author }
    for work in graph.records(of: Work<Int>.self) { records[AnyRef(work.ref)] = work }
    return records
  }

  private static func areEqual(
    _ left: [AnyRef: any GraphRecord], _ right: [AnyRef: any GraphRecord]
  ) -> Bool {
    left.count == right.count
      && left.allSatisfy { ref, record in
        if let author = record as? Author<Int> { return right[ref] as? Author<Int> == author }
        return record as? Work<Int> == right[ref] as? Work<Int>
      }
  }
}
