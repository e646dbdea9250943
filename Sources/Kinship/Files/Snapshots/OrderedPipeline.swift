#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Transforms inputs in parallel and passes on the results in order.
///
/// At most `width` inputs are in flight, so memory is bounded however slow the last step is.
enum OrderedPipeline {
  /// Runs a pipeline until `next` returns `nil`, or a step throws.
  ///
  /// `transform` runs in parallel for each input, and `consume` receives the results one after
  /// another.
  ///
  /// - Throws: The error of a step, and `CancellationError` if the task is cancelled.
  static func run<Input: Sendable, Output: Sendable>(
    width: Int = 2 * ProcessInfo.processInfo.activeProcessorCount, next: () async throws -> Input?,
    transform: @escaping @Sendable (Input) throws -> Output,
    consume: (Output) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
      var finished: [Int: Output] = [:]
      var (begun, handedOn) = (0, 0)
      var isAtEnd = false
      while true {
        while !isAtEnd, begun - handedOn < max(1, width) {
          try Task.checkCancellation()
          guard let input = try await next() else {
            isAtEnd = true
            break
          }
          let number = begun
          group.addTask { (number, try transform(input)) }
          begun += 1
        }
        guard let (number, output) = try await group.next() else { return }
        finished[number] = output
        while let output = finished.removeValue(forKey: handedOn) {
          try await consume(output)
          handedOn += 1
        }
      }
    }
  }
}
