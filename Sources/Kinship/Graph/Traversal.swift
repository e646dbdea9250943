/// A breadth-first walk over the identity map along plans: it decides, and never waits.
///
/// It works on slots, integers that stand for records, and copies each record out once, at the end.
/// `walk` goes on until it needs records that are not in memory, or has worked for a while, or has
/// reached all that there is. Between two calls the map may change:
///
/// 1. When it has to wait, it claims what it has reached, so that no eviction can undo it.
/// 2. When it goes on after any write, it starts again from the roots, over what is claimed and in
///    memory by now: what it returns shows one version.
/// 3. A generation with absent records is walked again once they are there, so that the order of
///    the nodes does not depend on what was cached.
struct Traversal: Sendable {
  enum Step: Sendable {
    case needs(Needs)
    case again
    case failedRoot(KinshipError)
  }

  /// What has been found of one version.
  struct Findings: Sendable {
    let version: UInt64
    /// By the number of the type.
    var columns: Columns
    /// All nodes in the order of discovery.
    var order: ContiguousArray<NodeKey> = []
    /// The refs that led to records which do not exist.
    var missing: ContiguousArray<Absence> = []
    /// Whether something was absent and not loaded.
    var isPartial = false
    /// The root that does not exist: there the walk ends.
    var missingRoot: AnyRef?
    /// Whether all of it has been copied out.
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

  /// The nodes of a leg that are as far from its root, and what following their relationships has
  /// led to.
  struct Generation: Sendable {
    /// Hops from the root of the leg; -1 until that is in the queue.
    var number = -1
    /// The generation in the graph of the nodes that are being reached.
    var reaching = 0
    /// Where its nodes are in the queue.
    var nodes = 0..<0
    /// The next of them to be followed.
    var cursor = 0
    /// How many nodes had been found when it began, and how many refs to what does not exist.
    var found = (order: 0, missing: 0)
    /// The node at the cursor if it has too many refs to be followed in one call.
    var part: Part?
    /// Its refs to what is to be loaded, as far as that is not claimed yet.
    var absences: ContiguousArray<Absence> = []
    /// What is to be loaded, of some plans only.
    var asked: Set<AnyRef> = []
    /// What is to be loaded and claimed, and the turns of these claims.
    var needs: [Claims] = []
    var turns: [TypeNumber: UInt32] = [:]
    /// Its records of which it is not known who refers to them, and referrers that are to be
    /// loaded.
    var referrers: (unknown: [Needs.Referrers], absent: [IDs]) = ([], [])
  }

  /// How far a node is followed that has many refs.
  struct Part: Sendable {
    /// The relationships that are still to be followed, and how many refs of the first one were.
    var wanted: ArraySlice<Int>
    var followed = 0
    /// Whether the list of these refs is being made.
    var isNew = false

    init(wanted: [Int]) { self.wanted = wanted[...] }
  }

  /// How far the end of the walk has come: by requests, claims and nodes.
  struct Ending: Sendable {
    var requests = 0
    var claims = 0
    var nodes = 0
    /// How many of the requests are in memory.
    var loaded = 0
  }

  /// A ref that was followed and led to no record in memory.
  struct Absence: Sendable {
    let source: Int
    let edge: Int
    let position: RefPosition
    /// How many nodes the leg had visited before it: what counts against its budget.
    let visitedBefore: Int
  }

  /// How many records and refs a call works on before it lets others have the map.
  static var stride: Int { Chunk.large }

  /// How often it may have to wait and be no farther than before, until it is said to be written
  /// faster than it can be loaded.
  static var patience: Int { 8 }

  let id: UInt64
  let legs: [Leg]
  let schema: GraphSchema
  /// By type: which of the relationships that lead to it are followed backwards; empty if none is.
  let backward: [[Int]]
  /// By type: how many relationships are followed, one way or the other.
  let widths: [Int]
  /// What is known of referrers that the map cannot remember; none if none are followed.
  private(set) var staging: Staging?
  /// Without a store, what is not in memory does not exist.
  let hasStore: Bool
  /// Whether what is absent is to be loaded; if not, it stays unloaded.
  let loads: Bool
  /// Whether what cannot be loaded stays unloaded; if not, the walk fails.
  let bearsFailures: Bool
  /// Whether its records pass through memory: then their order of use stays as it is.
  let isPassing: Bool
  /// What could not be loaded, and why.
  private(set) var failures: [AnyRef: KinshipError] = [:]
  /// Whether something of it has come by another way.
  var mustBeginAnew = false
  /// Whether it has said what it needs, and has not got it yet.
  var isWaiting = false

  // Each is made anew where it begins again: with a version, with a leg, with a generation.
  var found: Findings
  var search = Search()
  var generation = Generation()

  var drops: UInt64
  var claims: [Claims] = []
  var isClaiming = false
  /// What was absent and asked for.
  var requests: [Claims] = []
  /// How often it has had to wait and was no farther than before.
  var stalls = 0
  var farthest = 0
  /// What was found in an earlier try, until the lock is released.
  var discarded: [any Sendable] = []
  var ending = Ending()

  init(
    id: UInt64, legs: [Leg], schema: GraphSchema, staging: Staging? = nil, hasStore: Bool,
    loads: Bool = true, bearsFailures: Bool = false, map: borrowing IdentityMap
  ) {
    self.id = id
    self.legs = legs
    self.schema = schema
    self.hasStore = hasStore
    self.loads = loads
    self.bearsFailures = bearsFailures
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

  /// Goes on with the walk, until all is reached.
  ///
  /// - Parameters:
  ///   - map: The map to walk.
  ///   - marks: Where the walk notes what it has reached.
  ///   - work: How many records and refs were worked on in this call, by whomever.
  /// - Returns: What must happen before it can go on; nothing if all is reached, or if it waits.
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
    forgetFailures(knownTo: map)
    return mustBeginAnew ? .again : nil
  }

  /// What could not be loaded may have come by another way since, and have been found farther from
  /// the root than it is: then the walk begins anew.
  private mutating func forgetFailures(knownTo map: borrowing IdentityMap) {
    if failures.isEmpty { return }
    func isKnown<R: GraphRecord>(_ ref: AnyRef, _ type: R.Type) -> Bool {
      ref.as(type).map { !map.knowledge(of: $0.id, as: type).isUnknown } ?? false
    }
    for ref in failures.keys where isKnown(ref, ref.type) {
      failures[ref] = nil
      mustBeginAnew = true
    }
  }

  /// Goes on with nothing but what the map remembers of referrers.
  mutating func replaceStaging(by staging: Staging) {
    // What it holds must not end while the cache is locked.
    if let old = self.staging { discarded.append(old) }
    self.staging = staging
  }

  /// Notes that a record could not be loaded: it is not asked for again.
  mutating func note(_ error: KinshipError, of ref: AnyRef) { failures[ref] = error }
}

extension Traversal {
  /// Copies the records out, a stride at a time, and the ids that turned out not to exist.
  ///
  /// - Returns: Whether that is all.
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
