internal import KinshipTestSupport
public import Testing

/// Fails a test of a suite that does not end, so that the run does not wait for it.
///
/// A test awaits changes and tasks without a limit of its own. If a defect makes an awaited event
/// never happen, or makes the cache send a request over and over, the trait records an issue and
/// cancels the test: see `Alarm`. The limit is one minute at little effort, and grows with the
/// effort.
public struct BoundedWaits: SuiteTrait, TestTrait, TestScoping {
  /// Whether nested suites and their tests have the trait too.
  public var isRecursive: Bool { true }

  /// Runs a test case beside an alarm.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case, or `nil` for a suite.
  ///   - function: Runs the test case.
  /// - Throws: The error of the test case.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let limit = try Int(max(1, Effort().scale * 5) * 600)
    let wait = Wait()
    async let end: Void = {
      defer { wait.end() }
      try await function()
    }()
    let alarm = Alarm(after: limit) {
      Issue.record("\(test.name) does not end: see what it awaits.")
      wait.end(.exhaustion)
    }
    defer { alarm.stop() }
    // Leaving the scope cancels the test and waits for it.
    if await wait.untilEnd() == .exhaustion { return }
    try await end
  }
}

extension Trait where Self == BoundedWaits {
  /// Fails each test that does not end, for suites that await changes and tasks.
  public static var boundedWaits: Self { Self() }
}
