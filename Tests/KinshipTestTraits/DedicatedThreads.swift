internal import KinshipTestSupport
public import Testing

/// Runs each test of a suite on a thread of its own.
///
/// A test that computes for long or blocks would hold a thread of the cooperative pool, which has
/// only as many as the machine has cores.
public struct DedicatedThreads: SuiteTrait, TestTrait, TestScoping {
  /// Whether nested suites and their tests have the trait too.
  public var isRecursive: Bool { true }

  /// Runs a test case with a preference for dedicated threads, which its tasks inherit.
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
    try await withTaskExecutorPreference(threads) { try await function() }
  }
}

/// The threads of all tests with the trait: many, because a test may block its thread.
private let threads = ThreadExecutor(mostThreads: 64)

extension Trait where Self == DedicatedThreads {
  /// Runs each test on a thread of its own, for tests that compute for long or that block.
  public static var dedicatedThreads: Self { Self() }
}
