/// The reads of a cache by a task, and by the tasks that it starts, for learning a plan.
final class ReadRecorder: Sendable {
  /// The recorders of the task, of any cache, the innermost last.
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

  /// Adds a read of a cache to the recorders of this task.
  static func record(of cache: GraphCache, _ body: (inout ReadTrail) -> Void) {
    for recorder in current where recorder.cache == ObjectIdentifier(cache) {
      recorder.trail.withLock { body(&$0) }
    }
  }

  /// Counts a call of the store for the referrers of records.
  static func countReferrerCall(of cache: GraphCache) {
    for recorder in current where recorder.cache == ObjectIdentifier(cache) {
      recorder.referrerCalls.withLock { $0 += 1 }
    }
  }
}
