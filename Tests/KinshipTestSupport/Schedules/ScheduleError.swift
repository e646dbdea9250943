/// The reason why a schedule could not finish.
public enum ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No job is ready and the body has not ended: a deadlock, or the body waits for a task outside
  /// the schedule.
  case stalled

  /// A job became ready on another thread, so that the seed does not decide the order.
  case escaped

  /// More jobs ran than allowed: there is an endless loop.
  case endless(limit: Int)

  /// The error and its likely place.
  public var description: String {
    let elsewhere =
      "an unstructured Task without an executor preference, Task.sleep, or an actor with an "
      + "executor of its own"
    return switch self {
    case .stalled: "Deadlock: nothing can run, or the body waits for \(elsewhere)."
    case .escaped: "The seed does not decide the order: a job came from \(elsewhere)."
    case .endless(let limit): "Still running after \(limit) jobs."
    }
  }
}
