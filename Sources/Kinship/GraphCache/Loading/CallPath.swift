internal import Synchronization

/// The calls of stores and the transactions within which a task runs.
enum CallPath {
  /// The activities, of any cache, the innermost last.
  ///
  /// Tasks that are started within them inherit it, and count as being waited for; it means nothing
  /// once the activity has ended.
  @TaskLocal static var current: [WaitGraph.ActivityID] = []

  private static let last = Atomic<WaitGraph.ActivityID>(0)

  /// The id of a new activity.
  static func next() -> WaitGraph.ActivityID {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
