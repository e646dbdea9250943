/// How often a ``ScriptedStore`` that behaves at random does what.
///
/// The default is a store that keeps its promises and is slow in every way.
public struct StoreFaults: Hashable, Sendable {
  /// How many turns of others a call waits for at most.
  public var yields: Int

  /// How likely the records are read at the end of the call rather than at its begin.
  public var lateReading: Double

  /// How likely the answer comes in an order of its own.
  public var shuffling: Double

  /// How likely a call fails with a ``ScriptedFailure``.
  public var failure: Double

  /// How likely a call throws a `CancellationError` though nobody has cancelled it.
  public var falseCancellation: Double

  /// How likely the connection is lost in a call that makes changes, before or after it has made
  /// them.
  public var loss: Double

  /// How likely a call hangs until it is cancelled.
  public var hanging: Double

  /// How likely a record is left out of an answer.
  public var omission: Double

  /// How likely a record is answered twice.
  public var duplication: Double

  /// How likely a record is answered that was not asked for.
  public var intrusion: Double

  /// How likely a record that was asked for by its id cannot be read, in that call.
  public var illegibility: Double

  /// Creates the odds.
  ///
  /// - Parameters:
  ///   - yields: How many turns of others a call waits for at most.
  ///   - lateReading: How likely the records are read at the end of the call.
  ///   - shuffling: How likely the answer comes in an order of its own.
  ///   - failure: How likely a call fails.
  ///   - falseCancellation: How likely a call throws a `CancellationError` of its own.
  ///   - loss: How likely the connection is lost in a call that makes changes.
  ///   - hanging: How likely a call hangs until it is cancelled.
  ///   - omission: How likely a record is left out.
  ///   - duplication: How likely a record is answered twice.
  ///   - intrusion: How likely a record is answered that was not asked for.
  ///   - illegibility: How likely a record that was asked for by its id cannot be read.
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

  /// Draws what one call does.
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
      omitted: count(omission), duplicated: count(duplication), uninvited: count(intrusion),
      unreadable: illegibility == 0
        ? [] : Set(call.refs.filter { _ in generator.chance(illegibility) }))
  }
}
