/// Walks from several roots side by side, or from one: what they need is asked for together, and
/// all show one version.
///
/// Each finds what it would find alone. One that has reached all keeps it claimed while others
/// wait, and walks again after any write.
struct Traversals: Sendable {
  enum Step: Sendable {
    case needs(Traversal.Needs)
    case again
    case finished
    case failedRoot(KinshipError)
  }

  private(set) var walks: [Traversal]
  /// Whether what cannot be loaded stays unloaded.
  let bearsFailures: Bool
  /// Whether the records of any pass through memory.
  let isPassing: Bool
  /// What those walks need that wait.
  private var needs = Traversal.Needs()
  /// Those who refer to what was reached, until the walks have come to them.
  private var referrers: [Claims] = []
  /// Whether all is copied out, and how many of the walks have ended.
  private var isEnding = false
  private var endedCount = 0
  /// Whether they have needed anything yet.
  private var hasWaited = false
  /// Whether all of them have ended.
  var hasEnded = false

  init(_ walks: [Traversal]) {
    self.walks = walks
    bearsFailures = walks.indices.contains { walks[$0].bearsFailures }
    isPassing = walks.indices.contains { walks[$0].isPassing }
  }

  // A walk is large: it is asked where it lies, and not copied for each question.

  /// Whether what they wait for is written faster than it is fetched.
  var isStalled: Bool { walks.indices.contains { walks[$0].stalls > Traversal.patience } }

  /// How many records they have reached.
  var reachedCount: Int { walks.indices.reduce(0) { $0 + walks[$1].found.order.count } }

  /// Goes on with the walks.
  ///
  /// The work after all is copied out is done in chunks too: the copy is of one version.
  ///
  /// - Parameters:
  ///   - map: The map to walk.
  ///   - marks: Where the walks note what they have reached.
  ///   - mayFinish: Whether to copy the records out at the end; if not, that is left to another
  ///     call.
  /// - Returns: What must happen next.
  mutating func advance(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks, mayFinish: Bool = true
  ) -> Step {
    var work = 0
    if isEnding { return end(&map, isComplete: true, &work) ? .finished : .again }
    if staging != nil { forgetReferrers(map) }
    for number in walks.indices {
      switch walks[number].walk(&map, &marks, &work) {
      case .needs(let more): needs.add(more)
      case .again: return yield(&map)
      case .failedRoot(let error): return .failedRoot(error)
      case nil: continue
      }
    }
    if !needs.isEmpty { return wait(&map) }
    if !mayFinish { return yield(&map) }
    for number in walks.indices where !walks[number].copyOut(map, &work) { return yield(&map) }
    isEnding = true
    for number in walks.indices { walks[number].beginEnd(map) }
    return end(&map, isComplete: true, &work) ? .finished : .again
  }

  /// Forgets what is known of referrers beyond what the map remembers, if anything was written.
  ///
  /// The map follows each record that comes and leaves; who was asked before does not.
  private mutating func forgetReferrers(_ map: borrowing IdentityMap) {
    guard walks.contains(where: { $0.isStale(in: map) }) else { return }
    let staging = Staging()
    for number in walks.indices { walks[number].replaceStaging(by: staging) }
  }

  /// Lets others have the map for a moment.
  private mutating func yield(_ map: inout IdentityMap) -> Step {
    // What a walk without a root has reached is of no more use to it.
    for number in walks.indices where walks[number].found.missingRoot == nil {
      walks[number].claimReached(&map)
    }
    return .again
  }

  private mutating func wait(_ map: inout IdentityMap) -> Step {
    // What comes along is claimed by nobody: it would not be there any longer, if it passes.
    if !hasWaited, !isPassing, !needs.claims.isEmpty {
      hasWaited = true
      needs.continuation = Traversal.Continuation(of: walks)
    }
    for number in walks.indices {
      walks[number].isWaiting = false
      // What comes for others must not evict it.
      walks[number].isClaiming = true
      walks[number].claimReached(&map)
    }
    defer { needs = Traversal.Needs() }
    return .needs(needs)
  }

  /// What is known of referrers that the map cannot remember; none if none are followed.
  var staging: Staging? { walks.first?.staging }

  /// Keeps referrers in memory that were asked for.
  mutating func keep(_ claims: Claims) { referrers.append(claims) }

  /// Notes that a record could not be loaded: it is not asked for again.
  mutating func note(_ error: KinshipError, of ref: AnyRef) {
    for number in walks.indices { walks[number].note(error, of: ref) }
  }

  /// What they need has come, and with it most of what that leads to: they claim nothing more,
  /// unless something leaves memory before they have come to their ends.
  mutating func stopClaiming(_ map: borrowing IdentityMap) {
    for number in walks.indices { walks[number].stopClaiming(map) }
  }

  /// Lets go of what is of no more use, and makes room: not while the cache is locked.
  mutating func tidy() {
    for number in walks.indices { walks[number].tidy() }
  }

  /// Goes on with the end of the walks, in their order.
  ///
  /// - Parameters:
  ///   - map: The map that was walked.
  ///   - isComplete: Whether all has been copied out.
  ///   - work: How much was done in this call.
  /// - Returns: Whether that is all.
  mutating func end(_ map: inout IdentityMap, isComplete: Bool, _ work: inout Int) -> Bool {
    for claims in referrers { map.end(claims) }
    referrers = []
    while endedCount < walks.count {
      guard walks[endedCount].end(&map, isComplete: isComplete, &work) else { return false }
      endedCount += 1
    }
    return map.evictOverflow(&work, limit: Traversal.stride)
  }
}
