import Kinship
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// The suite for stores: it must find their faults.
@Suite(.dedicatedThreads)
struct StoreConformanceTests {
  @Test(arguments: FaultyStore.Fault.allCases)
  func `every fault of a store is found`(fault: FaultyStore.Fault) async throws {
    let conformance = StoreConformance { FaultyStore(fault, $0) }
    var failed: [String] = []
    for check in StoreConformance.Check.allCases {
      do { try await conformance.run(check) } catch { failed.append(check.description) }
    }
    #expect(!failed.isEmpty, "no check fails")
    // Random operations find nearly all of them too, except faults that need thousands of records,
    // odd texts, a cancelled task, a reader beside a writer, or a batch of one type.
    let isBeyondChance = [
      .stopsAtThousand, .losesText, .answersNothingWhenCancelled, .showsHalf, .changesIdentities,
    ].contains(fault)
    // Random operations need the usual number of seeds.
    let effort = try Effort()
    if !isBeyondChance, effort.seed == nil, effort.scale >= 1 {
      #expect(failed.contains { $0.contains("dictionaries") }, "\(failed)")
    }
  }

  @Test func `a failed check can be replayed`() async throws {
    let checks = StoreConformance.Check.allCases.filter { $0.description.contains("dictionaries") }
    let check = try #require(checks.first)
    await #expect {
      try await StoreConformance { FaultyStore(.losesDeletions, $0) }.run(check)
    } throws: {
      "\($0)".contains("Replay: KINSHIP_SEED=")
    }
  }

  @Test func `a failed check says what a store must do and what it does`() async throws {
    let check = try #require(StoreConformance.Check.fetching.first)
    await #expect {
      try await StoreConformance { FaultyStore(.leavesOutFirst, $0) }.run(check)
    } throws: {
      "\($0)".hasPrefix("A store must fetch the records that exist, each once: what exists of ")
        && "\($0)".contains("lacks TestPerson(")
    }
    await #expect {
      try await StoreConformance { _ in throw FaultyStore.Anything() }.run(check)
    } throws: {
      "\($0)".hasSuffix("each once, and this one threw Anything: Anything()")
    }
  }

  @Test func `checks have distinct names`() {
    let names = StoreConformance.Check.allCases.map(\.description)
    #expect(Set(names).count == names.count)
  }
}
