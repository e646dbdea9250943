extension Traversal {
  /// The columns of the types of which anything was found: others cost nothing.
  struct Columns: Sendable {
    /// In the order in which something of each type was found.
    private(set) var made: [Column] = []
    /// By the number of the type, the position of its column, from 1 on; 0 if there is none.
    private var places: ContiguousArray<Int32>
    private let widths: [Int]

    init(widths: [Int]) {
      self.widths = widths
      places = ContiguousArray(repeating: 0, count: widths.count)
    }

    subscript(type: Int) -> Column {
      mutating _read { yield made[place(of: type)] }
      _modify { yield &made[place(of: type)] }
    }

    /// Returns the number of nodes of a type.
    func count(_ type: Int) -> Int {
      places[type] == 0 ? 0 : made[Int(places[type]) - 1].slots.count
    }

    /// The slot of a node that there is.
    func slot(_ node: NodeKey) -> Slot {
      made[Int(places[Int(node.type)]) - 1].slots[Int(node.index)]
    }

    /// Changes all columns.
    mutating func forEach(_ body: (inout Column) -> Void) {
      for number in made.indices { body(&made[number]) }
    }

    private mutating func place(of type: Int) -> Int {
      if places[type] == 0 {
        made.append(Column(of: type, width: widths[type]))
        places[type] = Int32(truncatingIfNeeded: made.count)
      }
      return Int(places[type]) - 1
    }
  }

  /// The nodes of one type, as integers.
  struct Column: Sendable {
    let type: TypeNumber
    /// The number of relationships of the type.
    let width: Int
    var slots: ContiguousArray<Slot> = []
    /// A row for each node, a cell for each relationship, as ``GraphColumn`` has them.
    var edges: ContiguousArray<Int32> = []
    var lists: ContiguousArray<Int32> = []
    var generations: ContiguousArray<Int32> = []
    /// The last leg that visited a node.
    var legs: ContiguousArray<Int32> = []
    /// The numbers of nodes and list entries when the current generation began.
    var checkpoint = (nodes: 0, lists: 0)
    var claimed = 0
    var copied = 0
    var copies: [any Sendable] = []
    var missing: [IDs] = []

    init(of type: Int, width: Int) {
      self.type = TypeNumber(type)
      self.width = width
    }

    /// Adds a node; returns its place.
    mutating func add(_ slot: Slot, generation: Int, leg: Int) -> Int {
      slots.append(slot)
      for _ in 0..<width { edges.append(Link.unfollowed) }
      generations.append(Int32(truncatingIfNeeded: generation))
      legs.append(Int32(truncatingIfNeeded: leg))
      return slots.count - 1
    }

    /// Begins the list of a to-many relationship, unless an earlier leg has made it.
    mutating func beginList(_ cell: Int, count: Int) -> Bool {
      guard edges[cell] == Link.unfollowed else { return false }
      edges[cell] = Int32(truncatingIfNeeded: lists.count)
      lists.append(Int32(truncatingIfNeeded: count))
      return true
    }

    mutating func setCheckpoint() { checkpoint = (slots.count, lists.count) }

    /// Drops the links of nodes, except for lists that were made before the checkpoint.
    mutating func clearLinks(of nodes: ArraySlice<NodeKey>, isToMany: [Bool]) {
      for node in nodes {
        let row = Int(node.index) * width
        for number in isToMany.indices
        where !isToMany[number] || Int(edges[row + number]) >= checkpoint.lists {
          edges[row + number] = Link.unfollowed
        }
      }
    }

    /// Drops the notes that the leg has visited nodes that were there before the checkpoint.
    mutating func clearLegs(of nodes: ArraySlice<NodeKey>) {
      for node in nodes where Int(node.index) < checkpoint.nodes { legs[Int(node.index)] = -1 }
    }

    /// Removes the nodes and lists added since the checkpoint.
    mutating func rollBack() {
      let surplus = slots.count - checkpoint.nodes
      slots.removeLast(surplus)
      edges.removeLast(surplus * width)
      generations.removeLast(surplus)
      legs.removeLast(surplus)
      lists.removeLast(lists.count - checkpoint.lists)
      claimed = min(claimed, slots.count)
    }
  }
}
