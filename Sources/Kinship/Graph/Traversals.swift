/// Walks from one or several roots side by side: their needs are requested together, and all have
/// one version.
///
/// Each walk finds the same records as it would alone. A walk that has reached all its records
/// keeps them claimed while others wait, and walks again after any write.
struct Traversals: Sendable {
  enum Step: Sendable {
    case needs(Traversal.Needs)
    case again
    case finished
    case failedRoot(KinshipError)
  }

  private(set) var walks: [Traversal]
  /// Whether records that cannot be loaded stay unloaded.
  let toleratesFailures: Bool
  /// Whether any of the plans are marked `passing`.
  let isPassing: Bool
  /// The needs of the walks that wait.
  private var needs = Traversal.Needs()
  /// The referrers of reached records, kept until the walks get to them.
  private var referrers: [Claims] = []
  /// Whether all is copied out, and the number of walks that have ended.
  private var isEnding = false
  private var endedCount = 0
  /// Whether they have needed anything yet.
  private var hasWaited = false
  /// Whether all of them have ended.
  var hasEnded = false

  init(_ walks: [Traversal]) {
    self.walks = walks
    toleratesFailures = walks.indices.contains { walks[$0].toleratesFailures }
    isPassing = walks.indices.contains { walks[$0].isPassing }
  }

  // A walk is large: read it in place, and do not copy it for each question.

  /// Whether the records that they wait for are written faster than they are fetched.
  var isStalled: Bool { walks.indices.contains { walks[$0].stalls > Traversal.maxStalls } }

  /// The number of records that they have reached.
  var reachedCount: Int { walks.indices.reduce(0) { $0 + walks[$1].found.order.count } }

  /// Continues the walks; returns the next step.
  ///
  /// The work after all is copied out is done in chunks too: the copy is of one version. Unless it
  /// `mayFinish`, another call copies the records out.
  mutating func advance(
    _ map: inout IdentityMap, _ marks: inout TraversalMarks, mayFinish: Bool = true
  ) -> Step {
    var work = 0
    if isEnding { return end(&map, isComplete: true, &work) ? .finished : .again }
    if staging != nil { dropReferrers(map) }
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
    for number in walks.indices { walks[number].drops = map.drops }
    return end(&map, isComplete: true, &work) ? .finished : .again
  }

  /// Drops referrers that the map does not remember, if anything was written.
  ///
  /// The map follows each record that arrives or leaves; the answers of earlier calls do not.
  private mutating func dropReferrers(_ map: borrowing IdentityMap) {
    guard walks.contains(where: { $0.isStale(in: map) }) else { return }
    let staging = Staging()
    for number in walks.indices { walks[number].replaceStaging(by: staging) }
  }

  /// Releases the map for a moment.
  private mutating func yield(_ map: inout IdentityMap) -> Step {
    // A walk without a root no longer needs the records that it has reached.
    for number in walks.indices where walks[number].found.missingRoot == nil {
      walks[number].claimReached(&map)
    }
    return .again
  }

  private mutating func wait(_ map: inout IdentityMap) -> Step {
    // Nobody claims the related records that the store adds: with `passing`, they would be evicted
    // before they are read.
    if !hasWaited, !isPassing, !needs.claims.isEmpty {
      hasWaited = true
      needs.continuation = Traversal.Continuation(of: walks)
    }
    for number in walks.indices {
      walks[number].isWaiting = false
      // Loads for other walks must not evict it.
      walks[number].isClaiming = true
      walks[number].claimReached(&map)
    }
    defer { needs = Traversal.Needs() }
    return .needs(needs)
  }

  /// The known referrers that the map cannot remember; `nil` if none are followed.
  var staging: Staging? { walks.first?.staging }

  /// Keeps requested referrers in memory.
  mutating func keep(_ claims: Claims) { referrers.append(claims) }

  /// Records that a record could not be loaded, so that it is not requested again.
  mutating func recordFailure(_ error: KinshipError, of ref: AnyRef) {
    for number in walks.indices { walks[number].recordFailure(error, of: ref) }
  }

  /// Stops claiming once the needs have arrived, along with most of what they lead to, unless a
  /// record leaves memory before the walks end.
  mutating func stopClaiming(_ map: borrowing IdentityMap) {
    for number in walks.indices { walks[number].stopClaiming(map) }
  }

  /// Releases what is no longer needed, and reserves room: not while the cache is locked.
  mutating func tidy() {
    for number in walks.indices { walks[number].tidy() }
  }

  /// Continues ending the walks, in their order; returns whether that is all.
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
