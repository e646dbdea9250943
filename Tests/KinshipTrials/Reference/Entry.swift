/// The content of a record in the reference world, the same for every type of id.
struct Entry: Hashable, Sendable {
  var value = 0
  var cost = 1
  /// The mentor of an author; the author of a work, author 0 if `nil`.
  var one: Int?
  /// The works of an author; the sequels of a work.
  var many: [Int] = []

  /// The cost that counts.
  var effectiveCost: Int { min(max(0, cost), 1 << 40) }

  /// The same entry with a value that depends on another one.
  func adding(_ other: Int) -> Entry {
    var sum = self
    sum.value = (value + other) % 100
    return sum
  }

  /// The targets of each relationship, in the order of declaration.
  func targets(of kind: Kind) -> [(edge: Edge, keys: [Key])] {
    switch kind {
    case .author:
      [
        (.mentor, one.map { [Key(.author, $0)] } ?? []),
        (.works, many.map { Key(.work, $0) }),
      ]
    case .work:
      [
        (.author, [Key(.author, one ?? 0)]),
        (.sequels, many.map { Key(.work, $0) }),
      ]
    }
  }
}
