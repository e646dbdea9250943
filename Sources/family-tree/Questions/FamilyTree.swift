import Kinship

/// The ancestors or the descendants of a person, unfolded from a graph into a tree.
///
/// In a pedigree with cousins for parents, one person stands in several places. Each is unfolded
/// once, where they are nearest to the root, and referred to elsewhere: so the tree is never larger
/// than twice the graph, and ends even where persons are their own ancestors.
struct FamilyTree {
  /// What stands in one place of the tree.
  enum Subject {
    case person(Node<Person>)
    /// A ref to a person whom the store does not have.
    case missing(Ref<Person>)
    /// A family in which the person above is a partner; the other partner, if known.
    case family(Node<Family>, partner: Node<Person>?)
  }

  /// What a place in the tree is to the one that it branches off from.
  enum Role {
    case root, father, mother, child, family
  }

  struct Entry {
    let subject: Subject
    let role: Role
    /// How many generations from the root.
    let generation: Int
    /// The entry that this one branches off from.
    let stem: Int?
    fileprivate(set) var branches: [Int] = []
    /// The entry that unfolds the same person.
    fileprivate(set) var repeated: Int?
    /// Whether there is more beyond what the graph holds.
    fileprivate(set) var continues = false
    /// The entries that this one and all that branches off from it would be, if each came before
    /// its branches.
    fileprivate var unfolding = 0..<1
  }

  /// The entries, nearest to the root first; the root itself is the first.
  private(set) var entries: [Entry] = []

  /// A person's parents, their parents, and so on, to a number of generations.
  ///
  /// The graph may lead further: an ancestor on the last generation can be a nearer one as well,
  /// whose own parents it holds.
  static func ancestors(in graph: Graph<Person>, generations: Int) -> FamilyTree {
    FamilyTree(graph.root) { subject, generation in
      guard case .person(let person) = subject else { return Growth() }
      guard generation < generations else { return Growth(continues: person.hasParents) }
      var growth = Growth()
      growth.add(person.lookup(\.father), as: .father, generation: generation + 1)
      growth.add(person.lookup(\.mother), as: .mother, generation: generation + 1)
      return growth
    }
  }

  /// A person's families, their children, the children's families, and so on, to a number of
  /// generations; the families of the last one are shown, and their children not.
  static func descendants(in graph: Graph<Person>, generations: Int) -> FamilyTree {
    FamilyTree(graph.root) { subject, generation in
      var growth = Growth()
      switch subject {
      case .person(let person):
        growth.continues = !person.families.isComplete
        for family in person.families {
          let partner = [family.husband, family.wife].lazy.compactMap(\.self)
            .first { $0.ref != person.ref }
          growth.branches.append((.family(family, partner: partner), .family, generation))
        }
      case .family(let family, _) where generation == generations:
        growth.continues = !family.record.children.isEmpty
      case .family(let family, _):
        for child in family.lookup(\.children) {
          growth.add(child, as: .child, generation: generation + 1)
        }
      case .missing: break
      }
      return growth
    }
  }

  /// Whether an entry shows a person who also stands between it and the root: their own ancestor.
  func closesCircle(_ index: Int) -> Bool {
    guard let repeated = entries[index].repeated else { return false }
    return entries[repeated].unfolding.contains(entries[index].unfolding.lowerBound)
  }

  private init(_ root: Node<Person>, grow: (Subject, Int) -> Growth) {
    var unfolded: [Ref<Person>: Int] = [:]
    entries = [Entry(subject: .person(root), role: .root, generation: 0, stem: nil)]
    var next = 0
    while next < entries.count {
      let entry = entries[next]
      defer { next += 1 }
      if case .person(let person) = entry.subject {
        if let first = unfolded[person.ref] {
          entries[next].repeated = first
          continue
        }
        unfolded[person.ref] = next
      }
      let growth = grow(entry.subject, entry.generation)
      entries[next].continues = growth.continues
      for (subject, role, generation) in growth.branches {
        entries[next].branches.append(entries.count)
        entries.append(Entry(subject: subject, role: role, generation: generation, stem: next))
      }
    }
    // Branches come after their stems: from the last on, all are known that branch off from one.
    for index in entries.indices.reversed() {
      guard let stem = entries[index].stem else { continue }
      entries[stem].unfolding = 0..<entries[stem].unfolding.count + entries[index].unfolding.count
    }
    for index in entries.indices {
      var start = entries[index].unfolding.lowerBound + 1
      for branch in entries[index].branches {
        entries[branch].unfolding = start..<start + entries[branch].unfolding.count
        start += entries[branch].unfolding.count
      }
    }
  }
}

extension Node where R == Person {
  fileprivate var hasParents: Bool { record.father != nil || record.mother != nil }
}

/// What branches off from one place.
private struct Growth {
  var branches: [(subject: FamilyTree.Subject, role: FamilyTree.Role, generation: Int)] = []
  var continues = false

  mutating func add(_ lookup: Lookup<Person>?, as role: FamilyTree.Role, generation: Int) {
    switch lookup {
    case .loaded(let node)?: branches.append((.person(node), role, generation))
    case .missing(let ref)?: branches.append((.missing(ref), role, generation))
    case .unloaded?: continues = true
    case nil: break
    }
  }
}
