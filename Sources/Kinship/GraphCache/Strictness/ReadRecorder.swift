/// What a task and those that it starts read of a cache, for who learns a plan.
final class ReadRecorder: Sendable {
  /// Those who learn from the task, of any cache, the innermost last.
  @TaskLocal static var current: [ReadRecorder] = []

  private let cache: ObjectIdentifier
  private let trail: Lock<ReadTrail>
  private let referrerCalls = Lock(0)

  init(of cache: GraphCache) {
    self.cache = ObjectIdentifier(cache)
    trail = Lock(ReadTrail(cache.schema))
  }

  var result: (trail: ReadTrail, referrerCalls: Int) {
    (trail.withLock { $0 }, referrerCalls.withLock { $0 })
  }

  /// Has those who learn from this task note what it reads of a cache.
  static func note(of cache: GraphCache, _ body: (inout ReadTrail) -> Void) {
    for recorder in current where recorder.cache == ObjectIdentifier(cache) {
      recorder.trail.withLock { body(&$0) }
    }
  }

  /// Notes that the store was asked who refers to records.
  static func noteReferrerCall(of cache: GraphCache) {
    for recorder in current where recorder.cache == ObjectIdentifier(cache) {
      recorder.referrerCalls.withLock { $0 += 1 }
    }
  }
}
