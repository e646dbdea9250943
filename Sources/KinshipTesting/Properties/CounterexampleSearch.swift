/// Searches many seeds for a counterexample, and shrinks the first one found.
///
/// It decides which list is next; the caller runs the list, synchronously or not.
package struct CounterexampleSearch<C: Command> {
  package struct Trial {
    package let seed: UInt64
    package let commands: [C]
  }

  package enum Outcome {
    case passed
    case failed(step: Int?, cause: any Error)
  }

  private let steps: Int
  private let shrinkLimit: Int
  private var seeds: ClosedRange<UInt64>.Iterator
  private var shrinker: Shrinker<C>?
  /// The counterexample, shrunk as far as it is, or `nil` if none was found.
  package private(set) var failure: PropertyFailure<C>?

  package init(seeds: ClosedRange<UInt64>, steps: Int, shrinkLimit: Int) {
    self.seeds = seeds.makeIterator()
    self.steps = steps
    self.shrinkLimit = shrinkLimit
  }

  /// Returns the next list of commands to run, or `nil` at the end of the search.
  package mutating func next(_ generate: (inout SplitMix64) -> C) -> Trial? {
    guard let seed = failure?.seed else {
      return seeds.next().map { seed in
        var generator = SplitMix64(seed: seed)
        return Trial(seed: seed, commands: (0..<steps).map { _ in generate(&generator) })
      }
    }
    guard let runs = failure?.shrinkingRuns, runs < shrinkLimit, let candidate = shrinker?.next()
    else { return nil }
    failure?.shrinkingRuns += 1
    return Trial(seed: seed, commands: candidate)
  }

  package mutating func record(_ outcome: Outcome, of trial: Trial) {
    guard case .failed(let step, let cause) = outcome else {
      shrinker?.recordSuccess()
      return
    }
    if failure == nil {
      let commands = step.map { Array(trial.commands.prefix($0 + 1)) } ?? trial.commands
      shrinker = Shrinker(commands)
      failure = PropertyFailure(
        seed: trial.seed, commands: commands, step: step, cause: cause,
        originalCount: trial.commands.count, shrinkingRuns: 0)
    } else {
      shrinker?.recordFailure(of: trial.commands, at: step)
      failure?.commands = shrinker?.smallest ?? []
      failure?.step = step
      failure?.cause = cause
    }
  }
}
