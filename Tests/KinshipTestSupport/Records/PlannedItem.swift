package import Kinship

/// A record with refs of every kind, to ids of two types, for stores that follow plans.
package struct PlannedItem: GraphRecord, Codable, Equatable {
  package let id: Int
  package var next: Ref<PlannedItem>?
  package var label: Ref<PlannedLabel>?
  package var items: [Ref<PlannedItem>] = []
  package var parts: [Ref<PlannedItem>] = []

  package static let relationships: Relationships<PlannedItem> = [
    .toOne(\.next), .toOne(\.label), .toMany(\.items), .toMany(\.parts),
  ]
}

package struct PlannedLabel: GraphRecord, Codable, Equatable {
  package let id: String
  package var item: Ref<PlannedItem>?

  package static let relationships: Relationships<PlannedLabel> = [.toOne(\.item)]
}

extension PlannedItem {
  /// Statements that fill three tables at random, with some dangling refs.
  ///
  /// The table of the items has the columns id, next, label, and the item that each is a part of.
  /// `label` has id and item. `r` has the item, its target, and the position.
  package static func rows(in table: String, using generator: inout SplitMix64) -> String {
    func number(_ chance: Double, below end: Int = 40) -> String {
      generator.chance(chance) ? "\(Int.random(in: 0..<end, using: &generator))" : "NULL"
    }
    var sql = ""
    for id in 0..<30 {
      let label = generator.chance(0.5) ? "'\(number(1))'" : "NULL"
      // Parts of a missing item belong to no item, but their rows are found.
      let (next, whole) = (number(0.7), number(0.4, below: 30))
      sql += "INSERT INTO \(table) VALUES (\(id), \(next), \(label), \(whole));"
      sql += "INSERT INTO label VALUES ('\(id)', \(number(0.7)));"
      for place in 0..<Int.random(in: 0...2, using: &generator) {
        sql += "INSERT INTO r VALUES (\(id), \(number(1)), \(place));"
      }
    }
    return sql
  }

  /// A plan at random.
  package static func plan(using generator: inout SplitMix64) -> Plan<PlannedItem> {
    func depth() -> Int { [1, 2, 3, 5, .max].randomElement(using: &generator) ?? 1 }
    var plan = Plan<PlannedItem>.generations(generator.chance(0.3) ? depth() : 0)
    if generator.chance(0.6) { plan = plan.following(\.next, generations: depth()) }
    if generator.chance(0.6) { plan = plan.following(\.items, generations: depth()) }
    if generator.chance(0.4) { plan = plan.following(\.parts, generations: depth()) }
    if generator.chance(0.6) { plan = plan.following(\.label, generations: depth()) }
    if generator.chance(0.5) {
      plan = plan.following(\PlannedLabel.item, generations: depth())
    }
    return plan
  }
}
