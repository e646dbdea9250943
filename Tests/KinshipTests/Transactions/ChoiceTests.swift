import Foundation
import Kinship
import KinshipTesting
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Relationships to records of one of two types, beside a world of numbers.
@Suite(.dedicatedThreads, .tags(.lawG1, .lawT3))
struct ChoiceTests {
  @Test(arguments: SmallDeletions.allRules)
  func `choices obey every delete rule`(rules number: Int) async throws {
    #expect(try await RandomChoices.check(rules: number, seeds: 8) > 0)
  }

  typealias AllRules = Rules<
    StaticRules.Nullify, StaticRules.Cascade, StaticRules.Cascade, StaticRules.Nullify
  >

  @Test(arguments: [2, 100])
  func `choices are kept by a file store that is reopened`(capacity: Int) async throws {
    try await Property.check(
      seeds: 10, steps: 60, shrinkLimit: 200, generate: ChoiceCommand.random
    ) { commands, _ in
      let directory = try TemporaryDirectory()
      let store = try await FileStore(at: directory.url, schema: ChoiceTrial<AllRules>.schema)
      var trial = try ChoiceTrial<AllRules>(store: store, capacity: capacity)
      for command in commands { try await trial.perform(command) }
      try await store.close()
      let again = try await FileStore(at: directory.url, schema: ChoiceTrial<AllRules>.schema)
      try await trial.verifyAll(
        GraphCache(schema: ChoiceTrial<AllRules>.schema, store: again))
      try await again.close()
    }
  }

  @Test(arguments: [RecordCoders.compact, .json])
  func `a snapshot restores choices`(coder: RecordCoders) async throws {
    try await Property.check(
      seeds: 10, steps: 40, shrinkLimit: 200, generate: ChoiceCommand.random
    ) { commands, _ in
      let directory = try TemporaryDirectory()
      let file = directory.url.appending(path: "snapshot")
      var trial = try ChoiceTrial<AllRules>(store: nil)
      for command in commands { try await trial.perform(command) }
      _ = try await trial.cache.snapshot(to: file, coder: coder.coder)
      let restored = try GraphCache(schema: ChoiceTrial<AllRules>.schema)
      _ = try await restored.restore(from: file)
      try await trial.verifyAll(restored)
    }
  }

  enum RecordCoders {
    case compact, json

    var coder: any RecordCoder { self == .compact ? .compact : .json }
  }
}
