internal import Kinship
public import KinshipTesting

/// How often a ``ScriptedStore`` that behaves at random does what.
///
/// The default is a correct store that is slow in every way.
public struct StoreFaults: Hashable, Sendable {
  /// The maximum number of turns of others that a call waits for.
  public var yields: Int

  /// The probability that the records are read at the end of the call rather than at its beginning.
  public var lateReading: Double

  /// The probability that the answer has a random order.
  public var shuffling: Double

  /// The probability that a call fails with a ``ScriptedFailure``.
  public var failure: Double

  /// The probability that a call throws a `CancellationError` without a cancellation.
  public var falseCancellation: Double

  /// The probability that the connection is lost in a commit, before or after it.
  public var loss: Double

  /// The probability that a call hangs until it is cancelled.
  public var hanging: Double

  /// The probability that a record is left out of an answer.
  public var omission: Double

  /// The probability that a record is repeated in an answer.
  public var duplication: Double

  /// The probability that a record is added that was not requested.
  public var intrusion: Double

  /// The probability that a requested record is unreadable in that call.
  public var illegibility: Double

  /// Creates the odds.
  ///
  /// - Parameters:
  ///   - yields: How many turns of others a call waits for at most.
  ///   - lateReading: The probability that the records are read at the end of the call.
  ///   - shuffling: The probability that the answer has a random order.
  ///   - failure: The probability that a call fails.
  ///   - falseCancellation: The probability that a call throws a `CancellationError` of its own.
  ///   - loss: The probability that the connection is lost in a commit.
  ///   - hanging: The probability that a call hangs until it is cancelled.
  ///   - omission: The probability that a record is left out.
  ///   - duplication: The probability that a record is repeated.
  ///   - intrusion: The probability that a record is added that was not requested.
  ///   - illegibility: The probability that a requested record is unreadable.
  public init(
    yields: Int = 4, lateReading: Double = 0.5, shuffling: Double = 0.5, failure: Double = 0,
    falseCancellation: Double = 0, loss: Double = 0, hanging: Double = 0, omission: Double = 0,
    duplication: Double = 0, intrusion: Double = 0, illegibility: Double = 0
  ) {
    self.yields = yields
    self.lateReading = lateReading
    self.shuffling = shuffling
    self.failure = failure
    self.falseCancellation = falseCancellation
    self.loss = loss
    self.hanging = hanging
    self.omission = omission
    self.duplication = duplication
    self.intrusion = intrusion
    self.illegibility = illegibility
  }

  /// Draws the behaviour of one call.
  func behavior(in call: StoreCall, using generator: inout SplitMix64) -> StoreBehavior {
    func count(_ probability: Double) -> Int {
      call.refs.count { _ in generator.chance(probability) }
    }
    let failure: (any Error)? =
      generator.chance(failure)
      ? ScriptedFailure(call: call.number)
      : falseCancellation > 0 && generator.chance(falseCancellation) ? CancellationError() : nil
    return StoreBehavior(
      reading: generator.chance(lateReading) ? .afterPause : .beforePause,
      pause: generator.chance(hanging)
        ? .cancellation : .yields(Int.random(in: 0...max(0, yields), using: &generator)),
      failure: failure,
      losing: generator.chance(loss) ? (Bool.random(using: &generator) ? .before : .after) : nil,
      isShuffled: generator.chance(shuffling),
      omitted: count(omission), duplicated: count(duplication), unrequested: count(intrusion),
      unreadable: illegibility == 0
        ? [] : Set(call.refs.filter { _ in generator.chance(illegibility) }))
  }
}

extension StoreScript {
  /// Returns a script of random behavior.
  ///
  /// - Parameter faults: The probabilities.
  /// - Returns: The script.
  public static func random(_ faults: StoreFaults = StoreFaults()) -> StoreScript {
    StoreScript { call, generator in faults.behavior(in: call, using: &generator) }
  }
}
