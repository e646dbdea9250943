package import KinshipTesting

extension Property {
  /// Checks a system step by step with every list of commands up to a length, the shortest first.
  ///
  /// A property that holds for all short lists over a few well-chosen commands is seldom wrong for
  /// long ones.
  ///
  /// - Parameters:
  ///   - commands: The commands that lists are made of.
  ///   - length: How many commands a list has at most.
  ///   - makeSystem: Makes a new system under test, with its model, for each list.
  ///   - apply: Performs a command, and throws if the system behaves wrongly.
  /// - Throws: ``PropertyFailure`` with a shortest list that fails; `CancellationError` if the task
  ///   is cancelled.
  /// - Complexity: O(*c*^*l*) systems over the number of commands and the length.
  package static func checkEvery<System, C: Command>(
    of commands: [C], upTo length: Int,
    system makeSystem: () throws -> System,
    apply: (inout System, C) throws -> Void
  ) throws {
    try forEveryList(of: commands, upTo: length) { list in
      try Task.checkCancellation()
      var step: Int?
      do {
        var system = try makeSystem()
        for (index, command) in list.enumerated() {
          step = index
          try apply(&system, command)
        }
      } catch {
        throw PropertyFailure(
          seed: nil, commands: list, step: step, cause: error, originalCount: list.count,
          shrinkingRuns: 0)
      }
    }
  }

  private static func forEveryList<C>(
    of commands: [C], upTo length: Int, _ body: ([C]) throws -> Void
  ) throws {
    try body([])
    guard length > 0, !commands.isEmpty else { return }
    for length in 1...length {
      // The digits of a number to the base of the number of commands, counted up.
      var digits = Array(repeating: 0, count: length)
      repeat {
        try body(digits.map { commands[$0] })
      } while increment(&digits, base: commands.count)
    }
  }

  /// Counts up by one.
  ///
  /// - Returns: `false` if all digits are 0 again.
  private static func increment(_ digits: inout [Int], base: Int) -> Bool {
    for index in digits.indices.reversed() {
      digits[index] += 1
      if digits[index] < base { return true }
      digits[index] = 0
    }
    return false
  }
}
