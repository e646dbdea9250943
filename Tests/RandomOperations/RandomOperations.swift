import Foundation
import Kinship
import KinshipTiers
import KinshipTesting
import KinshipFileStore
import KinshipTestSupport
import KinshipTrials

/// Runs the tests' trials with sixteen times their effort: 600,000 random operations on a cache
/// beside its model, small graphs with a deletion in each by several rules, half a million mutated
/// encodings, and the conformance of stores.
///
/// As a program it can be built optimised, or for a sanitizer, without all the tests:
///
///     swift run -c release -Xswiftc -enable-testing random-operations
///
/// `KINSHIP_SEED` and `KINSHIP_OPERATIONS` mean the same as for the tests. An argument is a part of
/// the name of what to run: by default everything.
@main
enum RandomOperations {
  /// A trial that runs in one thread.
  struct Part: Sendable {
    let name: String
    /// - Returns: The number of trials.
    let run: @Sendable () async throws -> Int
  }

  static func main() async throws {
    if ProcessInfo.processInfo.environment["KINSHIP_OPERATIONS"] == nil {
      setenv("KINSHIP_OPERATIONS", "16", 1)
    }
    let words = CommandLine.arguments.dropFirst()
    let parts = parts.filter { part in words.isEmpty || words.contains { part.name.contains($0) } }
    guard !parts.isEmpty else {
      say("No part has \(words.joined(separator: " or ")) in its name.")
      exit(EXIT_FAILURE)
    }
    let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
      var failures = 0
      for (number, part) in parts.enumerated() {
        if number >= ProcessInfo.processInfo.activeProcessorCount {
          failures += try await group.next() == false ? 1 : 0
        }
        group.addTask { await passes(part) }
      }
      for try await isPassed in group where !isPassed { failures += 1 }
      return failures
    }
    if failures > 0 {
      say("\(failures) of \(parts.count) parts failed.")
      exit(EXIT_FAILURE)
    }
    say("All \(parts.count) parts passed.")
  }

  /// Prints a line at once, to any output.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func passes(_ part: Part) async -> Bool {
    let start = ContinuousClock.now
    say("\(part.name) begins.")
    do {
      let count = try await part.run()
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      say(
        "\(part.name): \(count) in \(seconds.formatted(.number.precision(.fractionLength(1)))) s")
      return true
    } catch {
      say("\(part.name) failed: \(error)")
      return false
    }
  }

  private static var parts: [Part] {
    [
      reference(Int.self, seeds: 150), reference(String.self, seeds: 12),
      reference(UUID.self, seeds: 12), reference(CompositeID.self, seeds: 12),
      reference(CollidingID.self, seeds: 12),
      Part(name: "Graphs of up to three records") {
        try (1...3).reduce(0) { try $0 + SmallGraphs.everyWayToAsk(nodeCount: $1) }
      },
      Part(name: "Predicates") { try await PredicateTrial.check(seeds: 50) },
      Part(name: "What is asked of answers") {
        try await QuestionTrial.check(seeds: 3) { trial in
          try await trial.run {
            try GraphCache(for: Sample.self, Sample.Owner.self, store: MemoryStore($0))
          }
        }
      },
      Part(name: "Questions across relationships") {
        try await RelatedTrials.check(seeds: 2) { clubModel in
          let store = MemoryStore()
          try await store.apply(clubModel.insertions)
          return store
        }
      },
      Part(name: "Transactions over several stores") {
        try await RoutedTrial.check(leads: true, seeds: 20)
          + RoutedTrial.check(leads: false, seeds: 20)
      },
      Part(name: "Stores of two tiers") {
        var count = 0
        for kind in TieredTrial.Kind.allCases {
          count += try await TieredTrial.check(kind, seeds: 30)
        }
        for nearFails in [false, true] {
          count += try TieredTrialAtWork.check(nearFails: nearFails, seeds: 50)
        }
        return count
      },
      Part(name: "Functions of views beside the model") { try await ViewTrial.check(seeds: 300) },
      Part(name: "Mirrored stores") { try await MirrorTrial.check(seeds: 100) },
      Part(name: "Records moved to another store while others write") {
        try await MirrorTrialAtWork.check(records: 62_500)
      },
      Part(name: "Plans that are learned, and loads that are told of") {
        try await PlanTrial.checkLearned(seeds: 30) + PlanTrial.checkStrict(seeds: 30)
      },
      Part(name: "Answers that are followed while others write") {
        try LiveTrialAtWork.check(seeds: 30)
      },
      Part(name: "Graphs of four records") { try SmallGraphs.everyGraphOfFour() },
      Part(name: "Graphs with refs that lead nowhere") { try SmallGraphs.refsThatLeadNowhere() },
    ]
      + [nil, 0, 15, 1_000].map { capacity in
        let place = capacity.map { "over a store, capacity \($0)" } ?? "without a store"
        return Part(name: "Answers that are followed, \(place)") {
          try await LiveTrial.check(capacity: capacity, seeds: 9)
        }
      }
      + SmallDeletions.allRules.map { number in
        Part(name: "Refs of two types, rules \(number)") {
          try await RandomChoices.check(rules: number, seeds: 3)
        }
      }
      + SmallDeletions.allRules.map { number in
        Part(name: "Deletions in graphs of four records, rules \(number)") {
          try SmallDeletions.everyGraphOfFour(rules: number)
        }
      }
      + ([.compact, .json] as [any RecordCoder]).flatMap { coder in
        [
          Part(name: "Mutations of encodings, \(coder.name)") {
            try HostileSamples.manyMutations(coder)
          },
          Part(name: "Mutations of blocks of records, \(coder.name)") {
            try await BlockMutations.run(coder)
          },
        ]
      } + [conformance("MemoryStore") { $0.memoryStore() }]
      + [
        conformance("TieredStore") { contents in
          let store = TieredStore(
            near: MemoryStore(), far: MemoryStore(),
            schema: try GraphSchema(types: StoreContents.recordTypes))
          try await store.apply(contents.insertions)
          return store
        }
      ]
      + ([.compact, .json] as [any RecordCoder]).map { coder in
        conformance("FileStore, \(coder.name)") { contents in
          let store = try await FileStore(
            in: SimulatedDisk(), at: "/store",
            schema: GraphSchema(types: StoreContents.recordTypes),
            coder: coder)
          try await store.apply(contents.insertions)
          return store
        }
      }
  }

  private static func reference<ID: TestID>(_ type: ID.Type, seeds: Int) -> Part {
    Part(name: "Operations beside the model, ids \(type)") {
      try ReferenceTrial.run(type, seeds: seeds)
      return try Effort().seeds(seeds).count * ReferenceTrial.steps
    }
  }

  private static func conformance(
    _ name: String, _ makeStore: @escaping StoreConformance.MakeStore
  ) -> Part {
    Part(name: "Conformance of \(name)") {
      for check in StoreConformance.Check.allCases {
        try await StoreConformance(makeStore).run(check)
      }
      return StoreConformance.Check.allCases.count
    }
  }
}
