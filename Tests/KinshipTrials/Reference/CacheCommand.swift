import Kinship
import KinshipMemoryPressure
import KinshipTestSupport

/// A call of a user of a cache.
enum CacheCommand: Command {
  case put(Key, Entry)
  case putMany(Kind, [Int], Entry)
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
  /// A query: whether the largest values come first, the offset, the limit, and whether it is a
  /// one-off scan.
  case query(Kind, descending: Bool, offset: Int, limit: Int?, passing: Bool)
  /// Finds records of a maximum age, in tenths of a second.
  case findWithin(Kind, [Int], Int)
  /// A query with records of a maximum age; `nil` for the store's present records.
  case queryWithin(Kind, descending: Bool, limit: Int?, Int?)
  /// A graph with records of a maximum age; `nil` for the store's present records.
  case graphWithin(Key, ReferencePlan, Int?)
  case refresh(Kind, [Int])
  /// Advances the time by some tenths of a second.
  case advance(Int)
  case resolve(Key)
  case resolveMany(Kind, [Int])
  case related(Key, Entry)
  case graph(Key, ReferencePlan)
  case graphs(Kind, [Int], ReferencePlan, within: Int?)
  /// Expands one of the held graphs.
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
  /// Begins a capture.
  case capture
  /// Reads a part of the capture.
  case readCapture(Int)
  /// Reads the rest, and compares it.
  case endCapture
  /// Restores the last capture.
  case restore
  /// Changes the store without the cache's knowledge.
  case store(Key, Entry?)
}

extension CacheCommand {
  /// A transaction and its outcome.
  struct Write {
    var steps: [TransactionStep]
    /// Whether it continues after a step that throws.
    var catches: Bool
    /// The failure of the store, if any.
    var failure: StoreFailure?
    /// Whether it is optimistic.
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

/// A failure of a store's commit.
enum StoreFailure: CaseIterable {
  /// Nothing was changed, and the error says so.
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
