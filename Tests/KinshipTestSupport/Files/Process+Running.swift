package import Foundation

extension Process {
  /// Starts the program and waits until it has ended.
  ///
  /// - Throws: What starting it throws.
  package func runToItsEnd() async throws {
    try await withCheckedThrowingContinuation { continuation in
      terminationHandler = { _ in continuation.resume() }
      do { try run() } catch { continuation.resume(throwing: error) }
    }
  }
}
