import Kinship

/// The ancestors of a person, unfolded from a graph into a tree.
///
/// If the parents are cousins, one person stands in several places. Each is unfolded once, where
/// they are nearest to the root, and referred to elsewhere: so the tree is never larger than twice
/// the graph, and ends even if persons are their own ancestors.
struct FamilyTree {
  enum Role {
    case root, father, mother
  }

  struct Entry {
    /// A person, or a ref to a person that the store does not have.
    let person: Lookup<Person>
    let role: Role
    /// The number of generations from the root.
    let generation: Int
    /// The entry of the child.
    let stem: Int?
    fileprivate(set) var branches: [Int] = []
    /// The entry that unfolds the same person.
    fileprivate(set) var repeated: Int?
    /// Whether there are parents that are not shown.
    fileprivate(set) var continues = false
  }

  /// The entries, nearest to the root first; the root itself is the first.
  private(set) var entries: [Entry] = []

  /// Unfolds a person's parents, their parents, and so on, to a number of generations.
  ///
  /// The graph may lead further: an ancestor on the last generation can be a nearer one as well,
  /// whose own parents it holds.
  init(_ graph: Graph<Person>, generations: Int) {
    var unfolded: [Ref<Person>: Int] = [:]
    entries = [Entry(person: .loaded(graph.root), role: .root, generation: 0, stem: nil)]
    var index = 0
    while index < entries.count {
      defer { index += 1 }
      let entry = entries[index]
      guard case .loaded(let person) = entry.person else { continue }
      if let first = unfolded[person.ref] {
        entries[index].repeated = first
        continue
      }
      unfolded[person.ref] = index
      let parents = [(person.lookup(\.father), Role.father), (person.lookup(\.mother), .mother)]
      for case (let parent?, let role) in parents {
        if case .unloaded = parent { entries[index].continues = true }
        if entry.generation == generations { entries[index].continues = true }
        if entries[index].continues { continue }
        entries[index].branches.append(entries.count)
        entries.append(
          Entry(person: parent, role: role, generation: entry.generation + 1, stem: index))
      }
    }
  }

  /// Whether an entry shows a person who also stands between it and the root: their own ancestor.
  func closesCircle(_ index: Int) -> Bool {
    guard let repeated = entries[index].repeated else { return false }
    var stem = entries[index].stem
    while let entry = stem, entry > repeated { stem = entries[entry].stem }
    return stem == repeated
  }
}
