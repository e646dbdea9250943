extension CacheState {
  /// Whether what an activity waits for can never come.
  func isStuck(_ activity: WaitGraph.ActivityID) -> Bool {
    waits.isStuck(activity) { needs(of: $0) }
  }

  /// Whether an activity waits for another, directly or not.
  func awaits(_ activity: WaitGraph.ActivityID, _ other: WaitGraph.ActivityID) -> Bool {
    var seen: Set<WaitGraph.ActivityID> = []
    var found = [activity]
    while let next = found.popLast() {
      if next == other { return true }
      if seen.insert(next).inserted { found += needs(of: next).joined() }
    }
    return false
  }

  /// The error that a call within an activity would wait for itself.
  func waitsForItself(_ call: CacheCall, _ activity: WaitGraph.ActivityID) -> KinshipError? {
    waits.call(activity).map { .waitsForItself(call, within: $0) }
  }

  /// What an activity needs at this moment: of each list, one to end.
  private func needs(of activity: WaitGraph.ActivityID) -> [[WaitGraph.ActivityID]] {
    var needs = waits.ahead(of: activity).map { [$0] }
    for wait in waits.waits(of: activity) {
      switch wait {
      case .activity(let other): needs.append([other])
      case .waiter(let waiter):
        let obstacles = loader.obstacles(of: waiter, map)
        needs += obstacles.batches.compactMap { waits.fetch(of: $0) }.map { [$0] }
        // What is held is changed by whoever has the turn.
        if obstacles.isHeld, let writer = waits.first { needs.append([writer]) }
        if obstacles.isQueued, let flights = loader.occupants {
          let fetches = flights.map { waits.fetch(of: $0) }
          // One that has not begun yet will end.
          if !fetches.contains(nil) { needs.append(fetches.compactMap(\.self)) }
        }
      }
    }
    return needs
  }
}
