/// Lets others run until a condition holds: for what no gate tells of.
///
/// - Parameters:
///   - condition: What to wait for. It is asked again and again.
///   - fileID: Where the test waits: the file.
///   - line: And the line.
/// - Throws: `NeverHeld` after ten minutes, and `CancellationError` at once where the task is
///   cancelled: a test that waits in vain says so, and ends.
nonisolated(nonsending) public func wait(
  until condition: () async throws -> Bool, fileID: StaticString = #fileID, line: UInt = #line
) async throws {
  let deadline = ContinuousClock.now + .seconds(600)
  while try await !condition() {
    try Task.checkCancellation()
    if ContinuousClock.now > deadline { throw NeverHeld(place: "\(fileID):\(line)") }
    await Task.yield()
  }
}

/// A test has waited in vain.
public struct NeverHeld: Error, CustomStringConvertible {
  /// Where it has waited.
  public let place: String

  /// Where, and in vain.
  public var description: String { "\(place): what is waited for has not come for ten minutes" }
}
