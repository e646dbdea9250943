package import Foundation

extension Process {
  /// Starts the program and waits until it has ended.
  ///
  /// - Parameter limit: The time after which the program is terminated, so that a test fails and
  ///   does not hang.
  /// - Throws: Any error of starting the process.
  package func runToItsEnd(within limit: Duration = .seconds(600)) async throws {
    let alarm = Task {
      try await Task.sleep(for: limit)
      terminate()
    }
    defer { alarm.cancel() }
    try await withCheckedThrowingContinuation { continuation in
      terminationHandler = { _ in continuation.resume() }
      do { try run() } catch { continuation.resume(throwing: error) }
    }
  }
}
