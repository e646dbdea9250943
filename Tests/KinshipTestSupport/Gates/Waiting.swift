/// Lets other tasks run until a condition holds, if no gate can wait for it.
///
/// The wait gives up after many checks, not after some time: each check comes after every task that
/// was ready before it, however busy the machine is.
///
/// - Parameters:
///   - condition: The condition, which is checked repeatedly.
///   - fileID: The file of the test that waits.
///   - line: The line of the test that waits.
/// - Throws: `NeverHeld` if the condition never holds, `CancellationError` at once if the task is
///   cancelled, and the error of the condition.
nonisolated(nonsending) public func wait(
  until condition: () async throws -> Bool, fileID: StaticString = #fileID, line: UInt = #line
) async throws {
  var questions = 0
  while try await !condition() {
    questions += 1
    if questions == 10_000 {
      throw NeverHeld(
        place: "\(fileID):\(line)",
        event: "the condition did not hold, though it was asked \(questions) times")
    }
    if questions <= 1_000 {
      try Task.checkCancellation()
      await Task.yield()
    } else {
      // Leaves the processor to the tasks that the test waits for.
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
