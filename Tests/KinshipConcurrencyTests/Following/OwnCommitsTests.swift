import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipSync

/// A commit's end and its log entry may come in either order: the records of its change set stay,
/// and all others are dropped.
@Suite(.boundedWaits)
struct OwnCommitsTests {
  private typealias Node = TestNode<Int>

  private func refs(_ ids: Int...) -> [AnyRef] { ids.map { AnyRef(Ref<Node>($0)) } }

  private func forgotten(_ extents: [StoreChange.Extent]) -> Set<AnyRef> {
    Set(
      extents.flatMap { extent in
        if case .records(let refs) = extent { return refs }
        return []
      })
  }

  @Test(arguments: [true, false], [true, false])
  func `own commits are recognised in any order of events`(isToldFirst: Bool, succeeds: Bool) {
    var commits = OwnCommits(cache: 1)
    let commit = commits.begin()
    let told = [
      StoreChange(.records(refs(1, 2)), by: commit), StoreChange(.records(refs(3))),
      StoreChange(.records(refs(4)), by: CommitID(cache: 2, number: 1)),
    ]
    let changed = succeeds ? Set(refs(1)) : nil
    var found: Set<AnyRef> = []
    if isToldFirst {
      found.formUnion(forgotten(commits.foreignChanges(told, poll: 1)))
      #expect(found == Set(refs(3, 4)))
      found.formUnion(forgotten(commits.end(commit, changing: changed, poll: 1)))
    } else {
      found.formUnion(forgotten(commits.end(commit, changing: changed, poll: 1)))
      found.formUnion(forgotten(commits.foreignChanges(told, poll: 1)))
    }
    #expect(found == (succeeds ? Set(refs(2, 3, 4)) : Set(refs(1, 2, 3, 4))))
    #expect(commits.isEmpty)
  }

  /// A log that never names a commit leaves nothing behind.
  ///
  /// A poll that began before the end of the commit may be too early to name it.
  @Test func `a commit that the log never names leaves nothing behind`() {
    var commits = OwnCommits(cache: 1)
    let commit = commits.begin()
    _ = commits.end(commit, changing: Set(refs(1)), poll: 1)
    #expect(commits.foreignChanges([], poll: 1).isEmpty)
    #expect(!commits.isEmpty)
    #expect(commits.foreignChanges([], poll: 2).isEmpty)
    #expect(commits.isEmpty)
    #expect(
      commits.foreignChanges([StoreChange(.records(refs(1)), by: commit)], poll: 3).count == 1)
  }

  @Test func `a commit's id is read from its description`() {
    for commit in [CommitID(cache: 0, number: 1), CommitID(cache: .max, number: .max)] {
      #expect(CommitID(commit.description) == commit)
    }
    for text in ["", "/", "1", "1/", "/1", "g/1", "1/-1", "1/1/1", "1/x"] {
      #expect(CommitID(text) == nil, "\(text)")
    }
  }

  /// Restored records are of another moment than the followed ones, until a poll has covered both.
  @Test func `a restored cache is not in contact until a poll`() {
    let (old, new) = (StoreCursor("old"), StoreCursor("new"))
    let limits = FollowingLimits()
    var state = FollowingState(limits, since: [new], at: .zero)
    let first = state.beginPoll(at: .seconds(1))
    state.end(first, StoreChanges([], upTo: new), at: .seconds(2))
    #expect(state.cursor == new && state.asOf == .seconds(1))
    state.prepareForRestoration(since: old, at: .seconds(5))
    #expect(state.cursor == nil && state.cursors == [new, old] && state.asOf == nil)
    #expect(state.servingDeadline == .seconds(5) + limits.maximumStaleness)
    let second = state.beginPoll(at: .seconds(6))
    #expect(Set(second.places) == [old, new])
    state.end(second, StoreChanges([], upTo: new), at: .seconds(7))
    #expect(state.cursor == new && state.asOf == .seconds(6))
  }

  @Test func `restorations of different moments keep both cursors`() async throws {
    let cache = try GraphCache(for: Node.self)
    let (a, b) = (StoreCursor("a"), StoreCursor("b"))
    let places = [a, a, b].map { place in
      cache.state.withLock { state in
        state.prepareForRestoration(since: place, at: .zero)
        return state.cursors
      }
    }
    #expect(places == [[a], [a], [a, b]])
  }

  @Test func `a cache out of contact drops its records in time`() {
    let limits = FollowingLimits(maximumStaleness: .seconds(4))
    var state = FollowingState(limits, since: [nil], at: .seconds(1))
    #expect(state.watch(at: .milliseconds(3_999)) == .milliseconds(1))
    // After three quarters of the limit.
    #expect(state.watch(at: .seconds(4)) == nil)
    // A record read during an outage is as old as its request.
    #expect(state.servingDeadline == .seconds(8))
    // It drops everything again after half the limit.
    #expect(state.watch(at: .seconds(4)) == .seconds(2))
    let poll = state.beginPoll(at: .seconds(6))
    state.end(poll, StoreChanges([], upTo: StoreCursor("now")), at: .seconds(6))
    #expect(state.watch(at: .seconds(6)) == .seconds(3))
  }

  /// The cache lets a slow store rest, unless a caller asks to catch up.
  @Test func `a wake-up during a pause waits for its end`() {
    let limits = FollowingLimits(interval: .seconds(10))
    var state = FollowingState(limits, since: [nil], at: .zero)
    let poll = state.beginPoll(at: .seconds(1))
    state.end(poll, StoreChanges([], upTo: StoreCursor("now")), at: .seconds(2))
    #expect(state.rest(at: .seconds(2))?.most == .seconds(1))
    #expect(state.wake(for: nil) == nil)
    #expect(state.wake(for: Promise<Void>()) != nil)
    #expect(state.rest(at: .seconds(2))?.most == nil)
  }
}
