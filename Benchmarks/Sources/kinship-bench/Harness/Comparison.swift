/// Systems that do the same work at one size, measured in turns.
struct Comparison {
  enum Unit: String, Codable {
    case nanoseconds = "ns"
    case bytes = "bytes"
  }

  let size: Int
  let unit: Unit
  /// The first is the baseline of the others.
  let systems: [System]

  init(size: Int, unit: Unit = .nanoseconds, systems: [System]) {
    self.size = size
    self.unit = unit
    self.systems = systems
  }

  /// Runs every system once a round, a different one first each time, so that other work of the
  /// machine affects all of them equally.
  func run(
    rounds: Int, progress: (_ round: Int) -> Void
  ) async throws -> [(system: System, samples: [Sample])] {
    var samples = [[Sample]](repeating: [], count: systems.count)
    for round in 0..<rounds {
      progress(round)
      for turn in systems.indices {
        let index = (turn + round) % systems.count
        samples[index].append(try await systems[index].measure())
      }
    }
    return Array(zip(systems, samples).map { (system: $0, samples: $1) })
  }
}
