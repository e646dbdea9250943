/// A breadth-first walk over the identity map along plans: it decides, and never waits.
///
/// It works on slots, integers that stand for records, and copies each record out once, at the end.
/// `advance` goes on until it needs records that are not in memory, or has worked for a while, or is
/// finished. Between two calls the map may change:
///
/// 1. When it has to wait, it claims what it has reached, so that no eviction can undo it.
/// 2. When it goes on after any write, it starts again from the roots, over what is claimed and in memory
///    by now: what it returns shows one version.
/// 3. A generation with absent records is walked again once they are there, so that the order of the
///    nodes does not depend on what was cached.
struct Traversal: Sendable {
  enum Step: Sendable {
    case needs([Claims])
    case again
    case finished
    case missingRoot(AnyRef)
    case failedRoot(KinshipError)
  }

  /// The nodes of one type, as integers.
  struct Column: Sendable {
    var slots: ContiguousArray<Slot> = []
    var edges: ContiguousArray<Int32> = []
    var lists: ContiguousArray<Int32> = []
    var generations: ContiguousArray<Int32> = []
    /// The last leg that visited a node.
    var legs: ContiguousArray<Int32> = []
    /// How many nodes and list entries there were when the current generation began.
    var checkpoint = (nodes: 0, lists: 0)
    var claimed = 0
    var copied = 0
    var copies: [any Sendable] = []
    var missing: [IDs] = []

    /// Adds a node; returns its place.
    mutating func add(_ slot: Slot, width: Int, generation: Int, leg: Int) -> Int {
      slots.append(slot)
      for _ in 0..<width { edges.append(Link.unfollowed) }
      generations.append(Int32(truncatingIfNeeded: generation))
      legs.append(Int32(truncatingIfNeeded: leg))
      return slots.count - 1
    }
  }

  /// A ref that was followed and led to no record in memory.
  struct Absence: Sendable {
    struct Origin: Sendable {
      let source: Int
      let edge: Int
      let position: RefPosition
    }

    let origin: Origin
    /// How many nodes the leg had visited before it: what counts against its budget.
    let visitedBefore: Int
  }

  /// What there was when the current generation began.
  struct Checkpoint {
    var order = 0
    var visited = 0
    var missing = 0
  }

  /// How many records a call works on before it lets others have the map.
  static let stride = 4096

  let id: UInt64
  let legs: [Leg]
  let schema: GraphSchema
  /// By type: how many relationships it has.
  let widths: [Int]
  /// Without a store, what is not in memory does not exist.
  let hasStore: Bool
  /// Whether what is absent is to be loaded; if not, it stays unloaded.
  let loads: Bool
  /// Whether what cannot be loaded stays unloaded; if not, the walk fails.
  let bearsFailures: Bool
  /// What could not be loaded, and why.
  private(set) var failures: [AnyRef: KinshipError] = [:]
  /// Whether something was absent and not loaded.
  var isPartial = false
  var columns: [Column]
  var order: ContiguousArray<NodeKey> = []

  var version: UInt64
  var drops: UInt64
  var leg = 0
  var budget = 0
  /// How many nodes the leg has visited, those of earlier legs among them.
  var visited = 0
  /// Hops from the root of the leg to the nodes of the frontier.
  var generation = 0
  /// The generation in the graph of the nodes that are being reached.
  var reaching = 0
  var frontier: ContiguousArray<NodeKey> = []
  var next: ContiguousArray<NodeKey> = []
  var cursor = 0
  var checkpoint = Checkpoint()
  var absences: ContiguousArray<Absence> = []
  var missing: ContiguousArray<Absence> = []
  var claims: [Claims] = []
  var isClaiming = false
  /// Copies of records of an earlier try, until the lock is released.
  var discarded: [[any Sendable]] = []
  /// Whether it has been finished and ended where its last records came in.
  var hasEnded = false
  /// How often it has had to wait and was no farther than before.
  var stalls = 0
  var farthest = 0
  /// What was absent and asked for.
  var requests: [Claims] = []
  /// What the relationships of a run lead to; kept for its memory.
  var followed: [FollowedSlots] = []

  init(
    id: UInt64, legs: [Leg], schema: GraphSchema, hasStore: Bool, loads: Bool = true,
    bearsFailures: Bool = false, map: borrowing IdentityMap
  ) {
    self.id = id
    self.legs = legs
    self.schema = schema
    self.hasStore = hasStore
    self.loads = loads
    self.bearsFailures = bearsFailures
    widths = schema.relationships.map { $0.count }
    columns = schema.relationships.map { _ in Column() }
    version = map.version
    drops = map.drops
    followed = Array(
      repeating: FollowedSlots(), count: widths.max() ?? 0)
  }

  /// Goes on with the walk.
  ///
  /// - Parameters:
  ///   - map: The map to walk.
  ///   - marks: Where the walk notes what it has reached.
  ///   - mayFinish: Whether to copy the records out at the end; if not, that is left to another call.
  /// - Returns: What must happen next.
  mutating func advance(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks, mayFinish: Bool = true
  ) -> Step {
    resume(map, &marks)
    var work = 0
    while leg < legs.count {
      if frontier.isEmpty, generation == 0, let step = enterLeg(&map, &marks) { return step }
      while !frontier.isEmpty {
        while cursor < frontier.count {
          work += followRun(map, &marks)
          if work >= Self.stride { return yield(&map) }
        }
        if let step = waitForAbsent(&map) { return step }
        enterGeneration()
      }
      leg += 1
      visited = 0
      generation = 0
    }
    return mayFinish ? copyOut(&map, work: work) : yield(&map)
  }

  /// Notes that a record could not be loaded: it is not asked for again.
  mutating func note(_ error: KinshipError, of ref: AnyRef) { failures[ref] = error }

  /// Ends the walk: what was claimed is so no longer, what was reached becomes the most recently used,
  /// in its order.
  ///
  /// - Parameters:
  ///   - map: The map that was walked.
  ///   - isComplete: Whether `advance` has just returned `.finished`, in the same call.
  mutating func end(_ map: inout IdentityMap, isComplete: Bool) {
    let loaded = requests.reduce(0) { $0 + map.countPresent($1) }
    for claim in claims { map.end(claim) }
    claims = []
    if isComplete {
      for node in order { map.recency.touch(columns[Int(node.type)].slots[Int(node.index)]) }
      // What did not have to be loaded was in memory.
      map.tally.hits &+= max(0, order.count - loaded)
    }
    map.evictOverflow()
  }
}
