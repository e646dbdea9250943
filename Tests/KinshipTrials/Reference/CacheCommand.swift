import Kinship
import KinshipMemoryPressure
import KinshipTestSupport

/// A call of a user of a cache.
enum CacheCommand: Command {
  case put(Key, Entry)
  case putMany(Kind, [Int], Entry)
  case replace(Key, Entry)
  case updateProperty(Key, Int)
  case updateClosure(Key, Entry)
  case updateThatThrows(Key)
  case remove(Key)
  case removeAll
  case read(Key)
  case readInPlace(Key)
  case readMany(Kind, [Int])
  case reduce(Kind, [Int])
  case find(Key)
  case findMany(Kind, [Int])
  /// A query: whether the largest values come first, where to begin, the limit, and whether its
  /// records pass.
  case query(Kind, descending: Bool, offset: Int, limit: Int?, passing: Bool)
  /// Finds what is no older than a limit, in tenths of a second.
  case findWithin(Kind, [Int], Int)
  /// A query whose records are no older than a limit; `nil` for what the store says at the moment.
  case queryWithin(Kind, descending: Bool, limit: Int?, Int?)
  /// A graph whose records are no older than a limit; `nil` for what the store says at the moment.
  case graphWithin(Key, ReferencePlan, Int?)
  case refresh(Kind, [Int])
  /// Lets time pass: so many tenths of a second.
  case advance(Int)
  case resolve(Key)
  case resolveMany(Kind, [Int])
  case related(Key, Entry)
  case graph(Key, ReferencePlan)
  case graphs(Kind, [Int], ReferencePlan, within: Int?)
  /// Grows one of the graphs that are held.
  case expand(Int, Key, ReferencePlan, within: Int?)
  case evict(Key)
  case invalidate(Key)
  case trim(Int)
  case pressure(MemoryPressure.Level)
  case lease(Kind, [Int])
  case leaseGraph(Int)
  case endLease(Int)
  case listen(Bool)
  case write(Write)
  /// Begins to capture this moment.
  case capture
  /// Reads some of what is being captured.
  case readCapture(Int)
  /// Reads the rest, and compares it.
  case endCapture
  /// Restores what was captured last.
  case restore
  /// Changes what the store holds, behind the cache's back.
  case store(Key, Entry?)
}

extension CacheCommand {
  /// A transaction, and what becomes of it.
  struct Write {
    var steps: [TransactionStep]
    /// Whether it goes on after a step that throws.
    var catches: Bool
    /// How the store fails, if it does.
    var failure: StoreFailure?
    /// Whether it is shown before the store has made it.
    var isShown: Bool
    /// Whether its inverse undoes it.
    var undoes: Bool

    static func random(using generator: inout SplitMix64) -> Write {
      Write(
        steps: (0..<Int.random(in: 1...6, using: &generator)).map { _ in
          .random(using: &generator)
        },
        catches: generator.chance(0.4),
        failure: generator.chance(0.2)
          ? StoreFailure.allCases.randomElement(using: &generator) : nil,
        isShown: generator.chance(0.3), undoes: generator.chance(0.4))
    }

    var shrunk: [Write] {
      var simpler = steps.shrunk.map { with($0) }
      for index in steps.indices {
        for step in steps[index].shrunk {
          var steps = steps
          steps[index] = step
          simpler.append(with(steps))
        }
      }
      if isShown {
        var plain = self
        plain.isShown = false
        simpler.append(plain)
      }
      return simpler
    }

    private func with(_ steps: [TransactionStep]) -> Write {
      var write = self
      write.steps = steps
      return write
    }
  }
}

/// How a store fails to make changes.
enum StoreFailure: CaseIterable {
  /// Nothing was changed, and it says so.
  case refusal
  /// Nothing was committed, but the outcome is unknown.
  case lossBefore
  /// Everything was committed, but the outcome is unknown.
  case lossAfter

  var behavior: StoreBehavior {
    switch self {
    case .refusal: StoreBehavior(failure: ScriptedFailure(call: 0))
    case .lossBefore: StoreBehavior(losing: .before)
    case .lossAfter: StoreBehavior(losing: .after)
    }
  }
}
