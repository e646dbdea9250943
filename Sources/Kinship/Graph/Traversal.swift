/// A breadth-first walk over the identity map along plans; it makes the decisions and never waits.
///
/// It works on slots, integers that stand for records, and copies each record out once, at the end.
/// `walk` goes on until it needs records that are not in memory, or has worked for a while, or has
/// reached every record. Between two calls the map may change:
///
/// 1. When it has to wait, it claims the records that it has reached, so that no eviction can undo
///    it.
/// 2. When it goes on after any write, it starts again from the roots, over the records that are
///    claimed and in memory by now: its result shows one version.
/// 3. It walks a generation with absent records again once they are in memory, so that the order of
///    the nodes does not depend on which records were cached.
struct Traversal: Sendable {
  enum Step: Sendable {
    case needs(Needs)
    case again
    case failedRoot(KinshipError)
  }

  /// The findings of one version.
  struct Findings: Sendable {
    let version: UInt64
    /// By the number of the type.
    var columns: Columns
    /// All nodes in the order of discovery.
    var order: ContiguousArray<NodeKey> = []
    /// The refs that led to records which do not exist.
    var missing: ContiguousArray<Absence> = []
    /// Whether a record was absent and not loaded.
    var isPartial = false
    /// The root that does not exist: there the walk ends.
    var missingRoot: AnyRef?
    /// By root of a leg of many, its place in its column; less than 0 if it was not found.
    var rootPlaces: [Int32] = []
    /// The roots that were absent and not loaded, of a leg of many.
    var absentRoots: IDs?
    /// Whether all records have been copied out.
    var isCopied = false

    init(of version: UInt64, widths: [Int]) {
      self.version = version
      columns = Columns(widths: widths)
    }
  }

  /// The breadth-first search of one leg.
  struct Search: Sendable {
    var leg = 0
    var budget = 0
    /// The nodes that the leg has visited, those of earlier legs among them.
    var queue: ContiguousArray<NodeKey> = []
  }

  /// The nodes of a leg at one distance from its root, and the results of following them.
  struct Generation: Sendable {
    /// Hops from the root of the leg; -1 until that is in the queue.
    var number = -1
    /// The generation in the graph of the nodes that are being reached.
    var reaching = 0
    /// The range of its nodes in the queue.
    var nodes = 0..<0
    /// The next of them to be followed.
    var cursor = 0
    /// The numbers of nodes found, and of refs to missing records, when it began.
    var found = (order: 0, missing: 0)
    /// The node at the cursor if it has too many refs to be followed in one call.
    var part: Part?
    /// Its refs to records that must be loaded and are not claimed yet.
    var absences: ContiguousArray<Absence> = []
    /// The records to load, for some plans only.
    var asked: Set<AnyRef> = []
    /// The records to load and claim, and the turns of these claims.
    var needs: [Claims] = []
    var turns: [TypeNumber: UInt32] = [:]
    /// Its records whose referrers are unknown, and the referrers that must be loaded.
    var referrers: (unknown: [Needs.Referrers], absent: [IDs]) = ([], [])
  }

  /// The progress within a node that has many refs.
  struct Part: Sendable {
    /// The relationships still to be followed, and the number of refs of the first one that were.
    var wanted: ArraySlice<Int>
    var followed = 0
    /// Whether this walk is building the list of these refs.
    var isNew = false

    init(wanted: [Int]) { self.wanted = wanted[...] }
  }

  /// The progress of ending the walk: by requests, claims and nodes.
  struct Ending: Sendable {
    var requests = 0
    var claims = 0
    var nodes = 0
    /// The number of requested records that are in memory.
    var loaded = 0
  }

  /// A ref that was followed and led to no record in memory.
  struct Absence: Sendable {
    let source: Int
    let edge: Int
    let position: RefPosition
    /// The number of nodes that the leg visited before it; it counts against the leg's budget.
    let visitedBefore: Int
  }

  /// The number of records and refs that a call works on before it releases the map.
  static var stride: Int { Chunk.large }

  /// The number of waits without progress before the walk fails because its records are written
  /// faster than they can be loaded.
  static var maxStalls: Int { 8 }

  let id: UInt64
  let legs: [Leg]
  let schema: GraphSchema
  /// By type, the relationships to it that are followed backwards; empty if none is.
  let backward: [[Int]]
  /// By type, the number of relationships that are followed, in either direction.
  let widths: [Int]
  /// The known referrers that the map cannot remember; `nil` if none are followed.
  private(set) var staging: Staging?
  /// Whether there is a store: without one, a record that is not in memory does not exist.
  let hasStore: Bool
  /// Whether absent records are loaded; if not, they stay unloaded.
  let loads: Bool
  /// Whether records that cannot be loaded stay unloaded; if not, the walk fails.
  let toleratesFailures: Bool
  /// Whether the plans are marked `passing`: the records then keep their recency order.
  let isPassing: Bool
  /// The records that could not be loaded, with the errors.
  private(set) var failures: [AnyRef: KinshipError] = [:]
  /// Whether a record that failed to load has arrived by another way since.
  var mustRestart = false
  /// Whether it has stated its needs and waits for them.
  var isWaiting = false

  // Each is created again where it restarts: with a version, with a leg, with a generation.
  var found: Findings
  var search = Search()
  var generation = Generation()

  var drops: UInt64
  var claims: [Claims] = []
  var isClaiming = false
  /// The absent records that were requested.
  var requests: [Claims] = []
  /// The number of waits without progress.
  var stalls = 0
  var farthest = 0
  /// The results of an earlier try, kept until the lock is released.
  var discarded: [any Sendable] = []
  var ending = Ending()

  init(
    id: UInt64, legs: [Leg], schema: GraphSchema, staging: Staging? = nil, hasStore: Bool,
    loads: Bool = true, toleratesFailures: Bool = false, map: borrowing IdentityMap
  ) {
    self.id = id
    self.legs = legs
    self.schema = schema
    self.hasStore = hasStore
    self.loads = loads
    self.toleratesFailures = toleratesFailures
    isPassing = legs.allSatisfy(\.plan.isPassing)
    self.staging = staging
    let backward = staging == nil ? [] : Self.backward(of: legs, schema)
    self.backward = backward
    widths =
      backward.isEmpty
      ? schema.widths : zip(schema.widths, backward).map { $0 + $1.count }
    found = Findings(of: map.version, widths: widths)
    drops = map.drops
  }

  /// Continues the walk until it has reached every record; returns the next step, or `nil` if every
  /// record is reached or the walk waits.
  ///
  /// It notes the records that it has reached in the marks. The work is that of this call so far,
  /// by all walks.
  mutating func walk(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks, _ work: inout Int
  ) -> Step? {
    if isAtRest(in: map) { return nil }
    resume(map, &marks)
    while search.leg < legs.count {
      if generation.number < 0, let step = enterLeg(&map, &marks) { return step }
      while !generation.nodes.isEmpty {
        while generation.cursor < generation.nodes.upperBound {
          work += followRun(&map, &marks)
          if generation.absences.count >= Chunk.size { work += claimAbsent(&map) }
          if work >= Self.stride { return .again }
        }
        if let step = waitForAbsent(&map) { return step }
        enterGeneration()
      }
      search = Search(leg: search.leg + 1)
      generation = Generation()
    }
    dropFailures(knownTo: map)
    return mustRestart ? .again : nil
  }

  /// Starts the walk again if a record that failed to load has arrived since: it may have been
  /// found farther from the root than it is.
  private mutating func dropFailures(knownTo map: borrowing IdentityMap) {
    if failures.isEmpty { return }
    func isKnown<R: GraphRecord>(_ ref: AnyRef, _ type: R.Type) -> Bool {
      ref.as(type).map { !map.knowledge(of: $0.id, as: type).isUnknown } ?? false
    }
    for ref in failures.keys where isKnown(ref, ref.type) {
      failures[ref] = nil
      mustRestart = true
    }
  }

  /// Continues with only the referrers that the map remembers.
  mutating func replaceStaging(by staging: Staging) {
    // Its contents must not be released while the cache is locked.
    if let old = self.staging { discarded.append(old) }
    self.staging = staging
  }

  /// Records that a record could not be loaded, so that it is not requested again.
  mutating func recordFailure(_ error: KinshipError, of ref: AnyRef) { failures[ref] = error }
}

extension Traversal {
  /// Copies the records out, a stride at a time, and the ids of missing records; returns whether
  /// that is all.
  mutating func copyOut(_ map: borrowing IdentityMap, _ work: inout Int) -> Bool {
    if found.isCopied { return true }
    for type in found.columns.made.map(\.type.index) {
      while found.columns[type].copied < found.columns[type].slots.count {
        if work >= Self.stride { return false }
        let start = found.columns[type].copied
        let end = min(found.columns[type].slots.count, start + Self.stride - work)
        let slots = Array(found.columns[type].slots[start..<end])
        found.columns[type].copies.append(map.operations[type].copy(map, slots[...]))
        found.columns[type].copied = end
        work += end - start
      }
    }
    for ids in schema.idLists(of: found.missing, map) {
      found.columns[ids.type.index].missing.append(ids)
    }
    found.isCopied = true
    return true
  }
}
