extension CacheState {
  /// Returns whether an activity waits for something that can never happen.
  func isStuck(_ activity: WaitGraph.ActivityID) -> Bool {
    waits.isStuck(activity) { needs(of: $0) }
  }

  /// Returns whether an activity waits for another, directly or indirectly.
  func awaits(_ activity: WaitGraph.ActivityID, _ other: WaitGraph.ActivityID) -> Bool {
    var seen: Set<WaitGraph.ActivityID> = []
    var found = [activity]
    while let next = found.popLast() {
      if next == other { return true }
      if seen.insert(next).inserted { found += needs(of: next).joined() }
    }
    return false
  }

  /// Returns an error if a call within an activity would wait for itself.
  func waitsForItself(_ call: CacheCall, _ activity: WaitGraph.ActivityID) -> KinshipError? {
    waits.call(activity).map { .misuse(.waitsForItself(call, within: $0)) }
  }

  /// Returns what an activity needs at this moment: from each list, one activity must end.
  private func needs(of activity: WaitGraph.ActivityID) -> [[WaitGraph.ActivityID]] {
    var needs = waits.ahead(of: activity).map { [$0] }
    for wait in waits.waits(of: activity) {
      switch wait {
      case .activity(let other): needs.append([other])
      case .waiter(let waiter):
        let obstacles = loader.obstacles(of: waiter, map)
        needs += obstacles.batches.compactMap { waits.fetch(of: $0) }.map { [$0] }
        // The activity that has the turn changes held records.
        if obstacles.isHeld, let writer = waits.first { needs.append([writer]) }
        if obstacles.isQueued, let flights = loader.occupants {
          let fetches = flights.map { waits.fetch(of: $0) }
          // A fetch that has not begun yet will end.
          if !fetches.contains(nil) { needs.append(fetches.compactMap(\.self)) }
        }
      }
    }
    return needs
  }
}
