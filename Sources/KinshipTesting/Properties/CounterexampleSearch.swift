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

  private struct Counterexample {
    let seed: UInt64
    let originalCount: Int
    var shrinker: Shrinker<C>
    var step: Int?
    var cause: any Error
    var shrinkingRuns = 0
  }

  private let steps: Int
  private let shrinkLimit: Int
  private var seeds: ClosedRange<UInt64>.Iterator
  private var counterexample: Counterexample?

  package init(seeds: ClosedRange<UInt64>, steps: Int, shrinkLimit: Int) {
    self.seeds = seeds.makeIterator()
    self.steps = steps
    self.shrinkLimit = shrinkLimit
  }

  /// The counterexample, shrunk as far as it is, or `nil` if none was found.
  package var failure: PropertyFailure<C>? {
    counterexample.map {
      PropertyFailure(
        seed: $0.seed, commands: $0.shrinker.smallest, step: $0.step, cause: $0.cause,
        originalCount: $0.originalCount, shrinkingRuns: $0.shrinkingRuns)
    }
  }

  /// Returns the next list of commands to run, or `nil` at the end of the search.
  package mutating func next(_ generate: (inout SplitMix64) -> C) -> Trial? {
    guard var found = counterexample else {
      return seeds.next().map { seed in
        var generator = SplitMix64(seed: seed)
        return Trial(seed: seed, commands: (0..<steps).map { _ in generate(&generator) })
      }
    }
    guard found.shrinkingRuns < shrinkLimit, let candidate = found.shrinker.next() else {
      return nil
    }
    found.shrinkingRuns += 1
    counterexample = found
    return Trial(seed: found.seed, commands: candidate)
  }

  package mutating func record(_ outcome: Outcome, of trial: Trial) {
    switch outcome {
    case .passed:
      counterexample?.shrinker.recordSuccess()
    case .failed(let step, let cause) where counterexample == nil:
      counterexample = Counterexample(
        seed: trial.seed, originalCount: trial.commands.count,
        shrinker: Shrinker(step.map { Array(trial.commands.prefix($0 + 1)) } ?? trial.commands),
        step: step, cause: cause)
    case .failed(let step, let cause):
      counterexample?.shrinker.recordFailure(of: trial.commands, at: step)
      counterexample?.step = step
      counterexample?.cause = cause
    }
  }
}
