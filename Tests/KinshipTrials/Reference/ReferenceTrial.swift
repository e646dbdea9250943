package import KinshipTestSupport

/// Random commands on a cache beside its model.
package enum ReferenceTrial {
  /// The number of commands in each list.
  package static let steps = 200

  /// Tries lists of commands, each under a schedule of its own.
  ///
  /// - Parameters:
  ///   - type: The type of the records' ids.
  ///   - seeds: How many lists are tried with the usual effort.
  /// - Throws: `PropertyFailure` if the cache differs from its model.
  package static func run<ID: TestID>(_ type: ID.Type, seeds: Int) throws {
    try Property.check(seeds: seeds, steps: steps, generate: CacheCommand.random) {
      commands, seed in
      try Schedule.run(seed: seed, limit: .max) { schedule in
        let witnesses = Witness.Log()
        try await Witness.Log.$current.withValue(witnesses) {
          var system = try CacheBesideModel<ID>(
            .init(seed: seed), executor: schedule.executor, witnesses)
          for (step, command) in commands.enumerated() {
            do {
              try await system.apply(command)
            } catch {
              throw Mismatch("at step \(step), \(command): \(error)")
            }
          }
          try await system.finish()
        }
      }
    }
  }
}
