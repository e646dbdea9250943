#if PostgreSQL
  import Kinship
  import KinshipPostgreSQL
  import KinshipSync
  import KinshipTestSupport

  /// A cache that follows a database, and its journal.
  final class Worker: Sendable {
    let number: Int
    let cache: GraphCache
    let following: GraphCache.Following
    let journal: SharedHistory.Journal
    private let last = Shared(0)

    init(
      _ number: Int, conninfo: String, _ journal: SharedHistory.Journal, _ limits: FollowingLimits
    ) async throws {
      self.number = number
      self.journal = journal
      let store = try await Tally.store(
        conninfo,
        PostgreSQLConfiguration(
          connections: 3, poolTimeout: .seconds(5), connectTimeout: .seconds(3)))
      cache = try Tally.cache(store)
      following = cache.follow(store, limits: limits)
      try await following.catchUp()
    }

    /// Works at random, in several tasks, until a condition ends it.
    func work(seed: UInt64, isOver: @escaping @Sendable () -> Bool) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<2 {
          group.addTask { [self] in
            var generator = SplitMix64(seed: seed &* 31 &+ UInt64(task))
            var count = 0
            while !isOver() {
              let isInContact = try await act(&generator)
              count += isInContact ? 1 : 0
              if isInContact, count.isMultiple(of: 10) { KinshipWorker.say(".") }
              // The machine has few cores, and an unresponsive server must not be flooded.
              try await Task.sleep(for: .milliseconds(isInContact ? 3 : 20))
            }
          }
        }
        // One task reads only memory, and never waits.
        group.addTask { [self] in
          var generator = SplitMix64(seed: seed &* 31 &+ 7)
          while !isOver() {
            try await peek(
              Ref<Tally.Counter>(Int.random(in: Tally.counters, using: &generator)))
            try await Task.sleep(for: .milliseconds(2))
          }
        }
        try await group.waitForAll()
      }
    }

    /// Performs one operation, and returns whether the database has answered.
    private func act(_ generator: inout SplitMix64) async throws -> Bool {
      let counter = Ref<Tally.Counter>(Int.random(in: Tally.counters, using: &generator))
      let note = Ref<Tally.Note>(Int.random(in: Tally.notes, using: &generator))
      do {
        switch Int.random(in: 0..<40, using: &generator) {
        case 0..<14: try await read(counter)
        case 14..<24: try await read(note)
        case 24..<26: try await peek(note)
        case 26..<32: try await increment(counter, retries: 0)
        case 32..<34: try await increment(counter, retries: 3)
        case 34..<38: try await changeNote(note, deletes: false)
        case 38: try await changeNote(note, deletes: true)
        default: await cache.evict(counter)
        }
        return true
      } catch let failure as Unanswered {
        if !failure.isExpected { try journal.noteSurprise("\(failure.cause)") }
        return false
      }
    }

    /// A name for the next commit, and its number.
    func nextCommit() -> (name: String, number: Int) {
      var number = 0
      last.change { last in
        last += 1
        number = last
      }
      return ("\(self.number)-\(number)", number)
    }

    /// The time up to which memory knows everything, by the cache's report; `nil` if it does not
    /// know.
    var asOf: Int? {
      // Read first, so that it is too early rather than too late.
      let now = monotonicTime()
      guard case .following(let moment) = following.status else { return nil }
      return now - (ContinuousClock.now - moment).nanoseconds
    }

    /// Catches up as soon as the server answers, and notes the contents of the cache.
    func noteContents() async throws {
      while true {
        do {
          try await following.catchUp()
          break
        } catch { try await Task.sleep(for: .milliseconds(20)) }
      }
      for id in Tally.counters { try noteHeld(Ref<Tally.Counter>(id)) }
      for id in Tally.notes { try noteHeld(Ref<Tally.Note>(id)) }
      for number in 0...last.value where number > 0 {
        let name = "\(self.number)-\(number)"
        if cache.peek(Ref<Tally.Receipt>(name)) != nil { try journal.noteHeld(name, 0) }
      }
      try journal.noteRest()
    }

    private func noteHeld<R: Tallied>(_ ref: Ref<R>) throws {
      if let held = cache.peek(ref) { try journal.noteHeld(R.key(ref.id), held.version) }
    }
  }

  extension Duration {
    fileprivate var nanoseconds: Int {
      Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
    }
  }
#endif
