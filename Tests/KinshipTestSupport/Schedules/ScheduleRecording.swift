/// What came of a body under one schedule, and how.
public struct ScheduleRecording<Value: Sendable>: Sendable {
  /// What the body returned or threw, or why the schedule could not be carried through.
  public let result: Result<Value, any Error>

  /// The choices made and the notes taken.
  public let trace: ScheduleTrace
}
