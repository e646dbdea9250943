/// Transforms pieces in parallel and hands the results on in the order of the pieces.
///
/// At most `width` pieces are on their way, so memory is bounded however slow the last step is.
enum OrderedPipeline {
  /// Runs a pipeline until there is nothing left, or anything throws.
  ///
  /// - Parameters:
  ///   - width: How many pieces may be on their way, 1 or more.
  ///   - next: The next piece; `nil` once there is none.
  ///   - transform: What is done in parallel.
  ///   - consume: Takes the results, one after another.
  /// - Throws: What a step throws, and `CancellationError` if the task is cancelled.
  static func run<Input: Sendable, Output: Sendable>(
    width: Int, next: () async throws -> Input?,
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
