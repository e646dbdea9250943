import KinshipTestSupport
import Testing

@testable import Kinship

/// In which order ever a commit ends and the log tells of it: what is in its change set stays, and
/// all else is forgotten.
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
  func theOrderDoesNotMatter(isToldFirst: Bool, succeeds: Bool) {
    var commits = OwnCommits(cache: 1)
    let commit = commits.begin()
    let told = [
      StoreChange(.records(refs(1, 2)), by: commit), StoreChange(.records(refs(3))),
      StoreChange(.records(refs(4)), by: CommitID(cache: 2, number: 1)),
    ]
    let changed = succeeds ? Set(refs(1)) : nil
    var found: Set<AnyRef> = []
    if isToldFirst {
      found.formUnion(forgotten(commits.take(told, poll: 1)))
      #expect(found == Set(refs(3, 4)))
      found.formUnion(forgotten(commits.end(commit, changing: changed, poll: 1)))
    } else {
      found.formUnion(forgotten(commits.end(commit, changing: changed, poll: 1)))
      found.formUnion(forgotten(commits.take(told, poll: 1)))
    }
    #expect(found == (succeeds ? Set(refs(2, 3, 4)) : Set(refs(1, 2, 3, 4))))
    #expect(commits.isEmpty)
  }

  /// A log that never tells of a commit leaves nothing behind; a poll that began before the end of
  /// the commit may come too early to tell of it.
  @Test func whatIsNeverToldIsNotWaitedFor() {
    var commits = OwnCommits(cache: 1)
    let commit = commits.begin()
    _ = commits.end(commit, changing: Set(refs(1)), poll: 1)
    #expect(commits.take([], poll: 1).isEmpty)
    #expect(!commits.isEmpty)
    #expect(commits.take([], poll: 2).isEmpty)
    #expect(commits.isEmpty)
    #expect(commits.take([StoreChange(.records(refs(1)), by: commit)], poll: 3).count == 1)
  }

  @Test func aCommitIsReadFromItsDescription() {
    for commit in [CommitID(cache: 0, number: 1), CommitID(cache: .max, number: .max)] {
      #expect(CommitID(commit.description) == commit)
    }
    for text in ["", "/", "1", "1/", "/1", "g/1", "1/-1", "1/1/1", "1/x"] {
      #expect(CommitID(text) == nil, "\(text)")
    }
  }
}
