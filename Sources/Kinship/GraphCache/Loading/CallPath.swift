internal import Synchronization

/// The store calls and transactions within which a task runs.
enum CallPath {
  /// The activities, of any cache, the innermost last.
  ///
  /// Tasks that are started within an activity inherit it, and count as being waited for. It has no
  /// meaning once the activity has ended.
  @TaskLocal static var current: [WaitGraph.ActivityID] = []

  private static let last = Atomic<WaitGraph.ActivityID>(0)

  /// Returns the id of a new activity.
  static func next() -> WaitGraph.ActivityID {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
