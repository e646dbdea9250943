/// The contents of dropped marks, kept until the lock is released.
///
/// They are copies of records, and may be the last.
final class DroppedMarks {
  var values: [any Sendable] = []
}
