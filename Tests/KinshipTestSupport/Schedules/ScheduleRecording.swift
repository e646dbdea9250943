/// The result of a body under one schedule, and its trace.
public struct ScheduleRecording<Value: Sendable>: Sendable {
  /// The body's result or error, or the reason why the schedule could not finish.
  public let result: Result<Value, any Error>

  /// The choices made and the notes taken.
  public let trace: ScheduleTrace
}
