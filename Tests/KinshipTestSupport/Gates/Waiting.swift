/// Lets others run until a condition holds, where no gate can say when it does.
///
/// The wait gives up after it has asked many times and the process has computed for long, so a busy
/// machine does not end it early.
///
/// - Parameters:
///   - condition: The condition, which is asked again and again.
///   - fileID: The file of the test that waits.
///   - line: The line of the test that waits.
/// - Throws: `NeverHeld` if the condition never holds, `CancellationError` at once if the task is
///   cancelled, and the error of the condition.
nonisolated(nonsending) public func wait(
  until condition: () async throws -> Bool, fileID: StaticString = #fileID, line: UInt = #line
) async throws {
  let start = ProcessorTime.ofProcess
  var questions = 0
  while try await !condition() {
    try Task.checkCancellation()
    questions += 1
    // Each question lets every other task that is ready run once.
    if questions > 10_000, questions.isMultiple(of: 100),
      ProcessorTime.ofProcess - start > .seconds(60)
    {
      throw NeverHeld(place: "\(fileID):\(line)")
    }
    await Task.yield()
  }
}

/// A test waited for a condition that never held.
public struct NeverHeld: Error, CustomStringConvertible {
  /// Where the test waited.
  public let place: String

  /// Where the test waited, and for how long.
  public var description: String {
    "\(place): the condition did not hold after a minute of processor time"
  }
}
