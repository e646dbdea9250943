import KinshipTestSupport
import Testing

struct LifetimeTests {
  @Test func `copies of a tracked value live as one`() {
    let tracker = LifetimeTracker()
    var values = (0..<10).map { tracker.track($0) }
    let copies = values
    #expect(tracker.liveCount == 10)
    values.removeAll()
    #expect(tracker.liveCount == 10)
    #expect(copies.map(\.value) == Array(0..<10))
    withExtendedLifetime(copies) {}
  }

  @Test func `a released value is no longer alive`() {
    let tracker = LifetimeTracker()
    var values = (0..<10).map { tracker.track($0) }
    values.removeFirst(4)
    #expect(tracker.liveCount == 6)
    values = []
    #expect(tracker.liveCount == 0)
    #expect(tracker.trackedCount == 10)
  }

  @Test func `a leak is found`() throws {
    final class Cycle {
      var itself: Cycle?
      var held: Tracked<Int>?
    }
    var leaked: Cycle?
    #expect(throws: Mismatch.self) {
      try LifetimeTracker.verifyNoLeaks { tracker in
        let cycle = Cycle()
        cycle.held = tracker.track(1)
        cycle.itself = cycle
        leaked = cycle
      }
    }
    leaked?.itself = nil
    try LifetimeTracker.verifyNoLeaks { tracker in _ = tracker.track(1) }
  }

  @Test func `tracked values compare by value`() {
    let tracker = LifetimeTracker()
    #expect(tracker.track("a") == tracker.track("a"))
    #expect(Set([tracker.track(1), tracker.track(1), tracker.track(2)]).count == 2)
    #expect("\(tracker.track(3))" == "3")
  }
}
