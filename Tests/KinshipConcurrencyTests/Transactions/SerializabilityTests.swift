import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// T4: one order of all transactions, plain, optimistic, retried or rolled back, explains every
/// read.
@Suite(.tags(.lawT4))
struct SerializabilityTests {
  static let conditions = [
    SerialTrial.Conditions(),
    SerialTrial.Conditions(failure: 0.2),
    SerialTrial.Conditions(failure: 0.2, invalidates: true),
    SerialTrial.Conditions(failure: 0.1, invalidates: true, puts: true),
  ]

  @Test(arguments: conditions.indices)
  func `one serial order explains all transactions`(conditions: Int) throws {
    try Schedule.explore(seeds: 200) { schedule in
      let trial = try SerialTrial(schedule, Self.conditions[conditions])
      try await withThrowingTaskGroup { group in
        for client in 0..<4 { group.addTask { try await trial.run(client: client) } }
        try await group.waitForAll()
      }
      await schedule.waitUntilIdle()
      try await trial.verify()
    }
  }

  /// A club's count of members is correct, although the members are records of their own.
  @Test(arguments: [0, 0.15])
  func `a set and its count agree`(failure: Double) throws {
    try Schedule.explore(seeds: 200) { schedule in
      let trial = try CountedSetTrial(schedule, failure: failure)
      try await withThrowingTaskGroup { group in
        for client in 0..<4 { group.addTask { try await trial.run(client: client) } }
        try await group.waitForAll()
      }
      await schedule.waitUntilIdle()
      try await trial.verify()
    }
  }
}
