/// A breadth-first walk over the identity map along plans: it decides, and never waits.
///
/// It works on slots, integers that stand for records, and copies each record out once, at the end.
/// `advance` goes on until it needs records that are not in memory, or has worked for a while, or is
/// finished. Between two calls the map may change:
///
/// 1. When it has to wait, it pins what it has reached, so that no eviction can undo it.
/// 2. When it goes on after any write, it starts again from the roots, over what is pinned in memory
///    by now: what it returns shows one version.
/// 3. A generation with absent records is walked again once they are there, so that the order of the
///    nodes does not depend on what was cached.
struct Traversal: Sendable {
  enum Step: Sendable {
    case needs([Need])
    case again
    case finished
    case missingRoot(AnyRef)
  }

  /// The nodes of one type, as integers.
  struct Column: Sendable {
    var slots: ContiguousArray<Slot> = []
    var edges: ContiguousArray<Int32> = []
    var lists: ContiguousArray<Int32> = []
    var generations: ContiguousArray<Int32> = []
    /// The last leg that visited a node.
    var legs: ContiguousArray<Int32> = []
    var pinned = 0
    var copied = 0
    var copies: [any Sendable] = []
    var missing: [any Sendable] = []
  }

  /// A ref that was followed and led to no record in memory.
  struct Absence: Sendable {
    let source: Int
    let edge: Int
    let position: RefPosition
    /// How many nodes the leg had visited before it: what counts against its budget.
    let visitedBefore: Int
  }

  /// What there was when the current generation began.
  private struct Checkpoint {
    var order = 0
    var visited = 0
    var missing = 0
    var nodes: [Int] = []
    var lists: [Int] = []
  }

  /// How many records a call works on before it lets others have the map.
  static let stride = 4096

  let id: UInt64
  let legs: [Leg]
  private let schema: Schema
  /// Without a store, what is not in memory does not exist.
  private let hasStore: Bool
  var columns: [Column]
  private(set) var order: ContiguousArray<NodeKey> = []

  private var version: UInt64
  private var drops: UInt64
  private var leg = 0
  /// How many nodes the leg has visited, those of earlier legs among them.
  private var visited = 0
  /// Hops from the root of the leg to the nodes of the frontier.
  private var generation = 0
  /// The generation in the graph of the nodes that are being reached.
  private var reaching = 0
  private var frontier: ContiguousArray<NodeKey> = []
  private var next: ContiguousArray<NodeKey> = []
  private var cursor = 0
  private var checkpoint = Checkpoint()
  private var absences: ContiguousArray<Absence> = []
  private var missing: ContiguousArray<Absence> = []
  private var pins: [Need] = []
  private var isPinning = false
  /// What was absent and asked for.
  private var requests: [Need] = []
  /// What the relationships of a run lead to; kept for its memory.
  private var followed: [FollowedSlots] = []

  init(
    id: UInt64, legs: [Leg], schema: Schema, hasStore: Bool, map: borrowing IdentityMap
  ) {
    self.id = id
    self.legs = legs
    self.schema = schema
    self.hasStore = hasStore
    columns = schema.entries.map { _ in Column() }
    version = map.version
    drops = map.drops
    followed = Array(
      repeating: FollowedSlots(), count: schema.entries.map(\.relationships.count).max() ?? 0)
  }

  private var budget: Int { legs[leg].plan.budget }

  /// Goes on with the walk.
  mutating func advance(_ map: inout IdentityMap, _ marks: inout TraversalMarks) -> Step {
    resume(map, &marks)
    var work = 0
    while leg < legs.count {
      if frontier.isEmpty, generation == 0, let step = enterLeg(&map, &marks) { return step }
      while !frontier.isEmpty {
        while cursor < frontier.count {
          work += followRun(map, &marks)
          if work >= Self.stride { return yield(&map) }
        }
        if !absences.isEmpty { return waitForAbsent(&map) }
        enterGeneration()
      }
      leg += 1
      visited = 0
      generation = 0
    }
    return copyOut(&map, work: work)
  }

  /// Ends the walk: what was pinned is released, what was reached becomes the most recently used,
  /// in its order.
  ///
  /// - Parameters:
  ///   - map: The map that was walked.
  ///   - isComplete: Whether `advance` has just returned `.finished`, in the same call.
  mutating func end(_ map: inout IdentityMap, isComplete: Bool) {
    for pin in pins { map.operations[pin.type].unpin(&map, pin.ids) }
    pins = []
    if isComplete {
      for node in order { map.recency.touch(columns[Int(node.type)].slots[Int(node.index)]) }
      // What did not have to be loaded was in memory.
      let loaded = requests.reduce(0) { $0 + map.operations[$1.type].countPresent(map, $1.ids) }
      map.tally.hits &+= max(0, order.count - loaded)
    }
    map.evictOverflow()
  }

  // MARK: Coming back

  private mutating func resume(_ map: borrowing IdentityMap, _ marks: inout TraversalMarks) {
    marks.grow(to: map.pages.slotCount)
    if map.version != version || (map.drops != drops && !isPinning) {
      restart(map)
      // What is dropped while the walk gives others a turn would undo it again and again.
      isPinning = true
    } else if marks.owner != id {
      for column in columns {
        for (index, slot) in column.slots.enumerated() {
          marks.places[slot.index] = Int32(truncatingIfNeeded: index)
        }
      }
    }
    marks.owner = id
    drops = map.drops
  }

  private mutating func restart(_ map: borrowing IdentityMap) {
    version = map.version
    columns = schema.entries.map { _ in Column() }
    order = []
    leg = 0
    visited = 0
    generation = 0
    frontier = []
    next = []
    cursor = 0
    absences = []
    missing = []
  }

  // MARK: Leaving

  /// Lets others have the map for a moment.
  private mutating func yield(_ map: inout IdentityMap) -> Step {
    if isPinning { pinReached(&map) }
    return .again
  }

  /// Pins what has been reached and what is needed, and takes the generation back.
  private mutating func wait(_ map: inout IdentityMap, for needs: [Need], count: Int) -> Step {
    isPinning = true
    pinReached(&map)
    if !frontier.isEmpty { rollBack() }
    for need in needs { map.operations[need.type].pinIDs(&map, need.ids) }
    pins += needs
    requests += needs
    map.tally.misses &+= count
    return .needs(needs)
  }

  private mutating func pinReached(_ map: inout IdentityMap) {
    for type in columns.indices where columns[type].pinned < columns[type].slots.count {
      let slots = Array(columns[type].slots[columns[type].pinned...])
      pins.append(Need(type: type, ids: map.operations[type].pin(&map, slots[...])))
      columns[type].pinned = columns[type].slots.count
    }
  }

  /// Asks for the absent records of the generation: once each, a list a type.
  private mutating func waitForAbsent(_ map: inout IdentityMap) -> Step {
    var pieces: [Int: [any Sendable]] = [:]
    for (target, ids) in idLists(of: affordableAbsences(map), map) {
      pieces[target, default: []].append(ids)
    }
    var needs: [Need] = []
    var total = 0
    for (target, lists) in pieces.sorted(by: { $0.key < $1.key }) {
      let (ids, count) = map.operations[target].distinct(lists)
      needs.append(Need(type: target, ids: ids))
      total += count
    }
    return wait(&map, for: needs, count: total)
  }

  /// The absences whose records the budget has room for, should they all exist.
  private func affordableAbsences(_ map: borrowing IdentityMap) -> ContiguousArray<Absence> {
    if budget == .max { return absences }
    var distinct: [Int: Set<AnyHashable>] = [:]
    var count = 0
    var affordable: ContiguousArray<Absence> = []
    for absence in absences {
      if absence.visitedBefore + count >= budget { break }
      let edge = schema.entries[absence.source].relationships[absence.edge]
      guard let id = (edge.collect([absence.position], map) as? [AnyHashable])?.first else {
        continue
      }
      if distinct[edge.target, default: []].insert(id).inserted { count += 1 }
      affordable.append(absence)
    }
    return affordable
  }

  /// The ids at positions, a list for each relationship, with the number of its target type.
  private func idLists(
    of absences: ContiguousArray<Absence>, _ map: borrowing IdentityMap
  ) -> [(target: Int, ids: any Sendable)] {
    var positions: [NodeKey: [RefPosition]] = [:]
    for absence in absences {
      let relationship = NodeKey(type: absence.source, index: absence.edge)
      positions[relationship, default: []].append(absence.position)
    }
    var lists: [(target: Int, ids: any Sendable)] = []
    for (source, entry) in schema.entries.enumerated() {
      for (number, edge) in entry.relationships.enumerated() {
        guard let found = positions[NodeKey(type: source, index: number)] else { continue }
        lists.append((edge.target, edge.collect(found[...], map)))
      }
    }
    return lists
  }

  /// Copies the records out, a stride at a time, and the ids that turned out not to exist.
  private mutating func copyOut(_ map: inout IdentityMap, work: Int) -> Step {
    var work = work
    for type in columns.indices {
      while columns[type].copied < columns[type].slots.count {
        if work >= Self.stride { return yield(&map) }
        let start = columns[type].copied
        let end = min(columns[type].slots.count, start + Self.stride - work)
        let slots = Array(columns[type].slots[start..<end])
        columns[type].copies.append(map.operations[type].copy(map, slots[...]))
        columns[type].copied = end
        work += end - start
      }
    }
    for (target, ids) in idLists(of: missing, map) { columns[target].missing.append(ids) }
    return .finished
  }

  // MARK: Generations

  /// Looks up the root of the leg; returns a step if the walk cannot go on yet.
  private mutating func enterLeg(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks
  ) -> Step? {
    let root = legs[leg]
    let slot = root.lookup(map)
    if slot == .missing || (slot == .absent && !hasStore) { return .missingRoot(root.ref) }
    if slot == .absent {
      return wait(&map, for: [Need(type: root.type, ids: root.ids)], count: 1)
    }
    let known = place(of: slot, type: root.type, marks)
    reaching = known.map { Int(columns[root.type].generations[$0]) } ?? root.generation
    _ = reach(slot, type: root.type, &marks)
    swap(&frontier, &next)
    reaching += 1
    setCheckpoint()
    return nil
  }

  private mutating func enterGeneration() {
    generation += 1
    reaching += 1
    frontier.removeAll(keepingCapacity: true)
    swap(&frontier, &next)
    setCheckpoint()
  }

  private mutating func setCheckpoint() {
    cursor = 0
    checkpoint = Checkpoint(
      order: order.count, visited: visited, missing: missing.count,
      nodes: columns.map(\.slots.count), lists: columns.map(\.lists.count))
  }

  /// Takes back what the current generation has reached.
  private mutating func rollBack() {
    for node in next where Int(node.index) < checkpoint.nodes[Int(node.type)] {
      columns[Int(node.type)].legs[Int(node.index)] = -1
    }
    next.removeAll(keepingCapacity: true)
    order.removeLast(order.count - checkpoint.order)
    visited = checkpoint.visited
    missing.removeLast(missing.count - checkpoint.missing)
    for node in frontier {
      let type = Int(node.type)
      let edges = schema.entries[type].relationships
      for number in edges.indices where edges[number].isToMany {
        let cell = Int(node.index) * edges.count + number
        // The list was made in this generation and goes with it.
        if Int(columns[type].edges[cell]) >= checkpoint.lists[type] {
          columns[type].edges[cell] = Link.unfollowed
        }
      }
    }
    for type in columns.indices {
      let surplus = columns[type].slots.count - checkpoint.nodes[type]
      let width = schema.entries[type].relationships.count
      columns[type].slots.removeLast(surplus)
      columns[type].edges.removeLast(surplus * width)
      columns[type].generations.removeLast(surplus)
      columns[type].legs.removeLast(surplus)
      columns[type].lists.removeLast(columns[type].lists.count - checkpoint.lists[type])
      columns[type].pinned = min(columns[type].pinned, columns[type].slots.count)
    }
    cursor = 0
    absences.removeAll(keepingCapacity: true)
  }

  // MARK: Following

  /// Follows the relationships of the next nodes of one type; returns how many nodes those were.
  private mutating func followRun(
    _ map: borrowing IdentityMap, _ marks: inout TraversalMarks
  ) -> Int {
    let type = Int(frontier[cursor].type)
    var end = cursor + 1
    let longest = min(frontier.count, cursor + Self.stride)
    while end < longest, Int(frontier[end].type) == type { end += 1 }
    let run = cursor..<end
    cursor = end
    let limits = legs[leg].plan.limits[type]
    guard limits.contains(where: { $0 > generation }) else { return run.count }

    let slots = run.map { columns[type].slots[Int(frontier[$0].index)] }[...]
    let edges = schema.entries[type].relationships
    for (number, edge) in edges.enumerated() where limits[number] > generation {
      followed[number].removeAll()
      edge.follow(slots, map, &followed[number])
    }
    var position = ContiguousArray(repeating: 0, count: edges.count)
    for (offset, place) in run.enumerated() {
      let index = Int(frontier[place].index)
      for number in edges.indices where limits[number] > generation {
        let cell = index * edges.count + number
        if edges[number].isToMany {
          let count = Int(followed[number].counts[offset])
          let isNew = columns[type].edges[cell] == Link.unfollowed
          let start = columns[type].lists.count
          if isNew {
            columns[type].edges[cell] = Int32(truncatingIfNeeded: start)
            columns[type].lists.append(Int32(truncatingIfNeeded: count))
          }
          for element in 0..<count {
            let link = follow(
              followed[number].slots[position[number] + element], type, number, slots[offset],
              element, &marks)
            if isNew { columns[type].lists.append(link) }
          }
          position[number] += count
        } else {
          columns[type].edges[cell] = follow(
            followed[number].slots[offset], type, number, slots[offset], 0, &marks)
        }
      }
    }
    return run.count
  }

  /// Follows one ref; notes it if its record is absent.
  private mutating func follow(
    _ target: Slot, _ source: Int, _ edge: Int, _ slot: Slot, _ element: Int,
    _ marks: inout TraversalMarks
  ) -> Int32 {
    let isMissing = target == .missing || (target == .absent && !hasStore)
    switch target {
    case .none: return Link.none
    case _ where isMissing:
      missing.append(absence(source, edge, slot, element))
      return Link.missing
    case .absent:
      if visited < budget { absences.append(absence(source, edge, slot, element)) }
      return Link.unloaded
    default: return reach(target, type: schema.entries[source].relationships[edge].target, &marks)
    }
  }

  private func absence(_ source: Int, _ edge: Int, _ slot: Slot, _ element: Int) -> Absence {
    Absence(
      source: source, edge: edge, position: RefPosition(slot: slot, element: element),
      visitedBefore: visited)
  }

  private func place(of slot: Slot, type: Int, _ marks: borrowing TraversalMarks) -> Int? {
    let place = Int(marks.places[slot.index])
    guard place < columns[type].slots.count, columns[type].slots[place] == slot else { return nil }
    return place
  }

  /// Adds a node unless it is there or the leg's budget is spent; each node is walked once a leg.
  private mutating func reach(
    _ slot: Slot, type: Int, _ marks: inout TraversalMarks
  ) -> Int32 {
    if let place = place(of: slot, type: type, marks) {
      if columns[type].legs[place] != Int32(leg), visited < budget {
        visited += 1
        columns[type].legs[place] = Int32(leg)
        next.append(NodeKey(type: type, index: place))
      }
      return Int32(truncatingIfNeeded: place)
    }
    if visited >= budget { return Link.unloaded }
    visited += 1
    let index = columns[type].slots.count
    marks.places[slot.index] = Int32(truncatingIfNeeded: index)
    columns[type].slots.append(slot)
    for _ in schema.entries[type].relationships { columns[type].edges.append(Link.unfollowed) }
    columns[type].generations.append(Int32(truncatingIfNeeded: reaching))
    columns[type].legs.append(Int32(leg))
    let node = NodeKey(type: type, index: index)
    order.append(node)
    next.append(node)
    return Int32(truncatingIfNeeded: index)
  }
}
