import KinshipTestSupport
import Testing

/// A stack beside its model, with a planted bug: it loses the bottom element when a push makes it
/// three deep and the pushed value is above 10.
private struct BuggyStack {
  var stack: [Int] = []
  var model: [Int] = []

  mutating func apply(_ operation: StackOperation) throws {
    switch operation {
    case .push(let value):
      stack.append(value)
      model.append(value)
      if stack.count == 3, value > 10 { stack.removeFirst() }
    case .pop:
      _ = stack.popLast()
      _ = model.popLast()
    case .look: break
    }
    try verifyEqual(stack.count, model.count, "count")
  }
}

private enum StackOperation: Command, Equatable {
  case push(Int)
  case pop
  case look

  static func random(using generator: inout SplitMix64) -> StackOperation {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<4: .push(.random(in: 0..<1_000, using: &generator))
    case 4..<7: .pop
    default: .look
    }
  }

  var shrunk: [StackOperation] {
    switch self {
    case .push(let value): value.shrunk.map(StackOperation.push)
    case .pop, .look: []
    }
  }
}

struct PropertyTests {
  private static let minimal: [StackOperation] = [.push(0), .push(0), .push(11)]

  private func counterexample(_ check: () throws -> Void) throws -> PropertyFailure<StackOperation>
  {
    try #require(#expect(throws: PropertyFailure<StackOperation>.self, performing: check))
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `a planted bug shrinks to its minimal form`(seed: UInt64) throws {
    let failure = try counterexample {
      try Property.check(
        effort: Effort(environment: ["KINSHIP_SEED": "\(seed)"]),
        generate: StackOperation.random, system: { _ in BuggyStack() }, apply: { try $0.apply($1) })
    }
    #expect(failure.seed == seed)
    #expect(failure.commands == Self.minimal)
    #expect(failure.step == 2)
    #expect(failure.cause is Mismatch)
    #expect(failure.shrinkingRuns < 200)
  }

  @Test func `lists run as a whole shrink too`() throws {
    let failure = try counterexample {
      try Property.check(effort: Effort(environment: [:]), generate: StackOperation.random) {
        commands, _ in
        var system = BuggyStack()
        for command in commands { try system.apply(command) }
      }
    }
    #expect(failure.commands == Self.minimal)
    #expect(failure.step == nil)
    #expect(failure.originalCount == 200)
  }

  @Test func `asynchronous properties find the same failure`() async throws {
    let effort = try Effort(environment: [:])
    let waited = try await #require(
      #expect(throws: PropertyFailure<StackOperation>.self) {
        try await Property.check(effort: effort, generate: StackOperation.random) { _ in
          await Task.yield()
          return BuggyStack()
        } apply: { system, operation in
          await Task.yield()
          try system.apply(operation)
        }
      })
    let whole = try await #require(
      #expect(throws: PropertyFailure<StackOperation>.self) {
        try await Property.check(effort: effort, generate: StackOperation.random) { commands, _ in
          var system = BuggyStack()
          for command in commands {
            await Task.yield()
            try system.apply(command)
          }
        }
      })
    #expect(waited.commands == Self.minimal)
    #expect(whole.commands == Self.minimal)
    #expect(waited.seed == whole.seed)
  }

  @Test func `a failure says how to replay it`() throws {
    let failure = try counterexample {
      try Property.check(
        effort: Effort(environment: ["KINSHIP_SEED": "3"]),
        generate: StackOperation.random, system: { _ in BuggyStack() }, apply: { try $0.apply($1) })
    }
    let lines = failure.description.split(separator: "\n")
    #expect(lines.first == "The property does not hold with seed 3, at step 2:")
    #expect(lines[1...3] == ["    0: push(0)", "    1: push(0)", "  > 2: push(11)"])
    #expect(lines[4].hasPrefix("Mismatch: count is 2, expected 3 (KinshipTestSupportTests/"))
    #expect(lines.last == "Replay: KINSHIP_SEED=3")
  }

  @Test func `a property that holds is tried with every seed`() throws {
    var seeds: [UInt64] = []
    var steps = 0
    try Property.check(
      seeds: 5, steps: 30, effort: Effort(environment: ["KINSHIP_OPERATIONS": "2"]),
      generate: StackOperation.random,
      system: { seeds.append($0) },
      apply: { _, _ in steps += 1 })
    #expect(seeds == Array(1...10))
    #expect(steps == 300)
  }

  @Test func `a system that cannot be created fails without commands`() throws {
    struct NoSystem: Error {}
    let failure = try counterexample {
      try Property.check(
        effort: Effort(environment: [:]), generate: StackOperation.random,
        system: { _ in throw NoSystem() }, apply: { (_: inout Void, _) in })
    }
    #expect(failure.commands.isEmpty)
    #expect(failure.step == nil)
    #expect(failure.cause is NoSystem)
  }

  @Test func `every short list is tried`() throws {
    var lists: [[StackOperation]] = []
    let failure = try counterexample {
      try Property.checkEvery(
        of: [StackOperation.push(20), .pop], upTo: 4,
        system: {
          lists.append([])
          return BuggyStack()
        },
        apply: { system, operation in
          lists[lists.count - 1].append(operation)
          try system.apply(operation)
        })
    }
    #expect(failure.commands == [.push(20), .push(20), .push(20)])
    #expect(failure.step == 2)
    #expect(!failure.description.contains("Replay"))
    #expect(lists.prefix(4) == [[], [.push(20)], [.pop], [.push(20), .push(20)]])

    lists = []
    try Property.checkEvery(
      of: [StackOperation.push(1), .pop, .look], upTo: 4,
      system: { lists.append([]) },
      apply: { _, operation in lists[lists.count - 1].append(operation) })
    #expect(lists.count == 1 + 3 + 9 + 27 + 81)
    #expect(Set(lists.map { "\($0)" }).count == lists.count)
  }

  @Test func `a command is dropped once no other needs it`() throws {
    var remaining: ArraySlice<StackOperation> = [.push(0), .pop, .look]
    let failure = try counterexample {
      try Property.check(
        seeds: 1, steps: 3, effort: Effort(environment: [:]),
        generate: { _ in remaining.removeFirst() },
        run: { operations, _ in
          // The push cannot be dropped before the pop is.
          let isBalanced = operations.contains(.push(0)) || !operations.contains(.pop)
          if isBalanced && operations.contains(.look) { throw Mismatch("looked") }
        })
    }
    #expect(failure.commands == [.look])
  }

  @Test func `commands after the failing step are dropped at once`() throws {
    var systems = 0
    let failure = try counterexample {
      try Property.check(
        shrinkLimit: 1, effort: Effort(environment: [:]), generate: StackOperation.random,
        system: { _ in
          systems += 1
          return 0
        },
        apply: { step, _ in
          step += 1
          if step == (systems == 1 ? 50 : 3) { throw Mismatch("failed") }
        })
    }
    #expect(systems == 2)
    #expect(failure.commands.count == 3)
    #expect(failure.step == 2)
  }

  @Test func `shrinking stops at its limit`() throws {
    var runs = 0
    let failure = try counterexample {
      try Property.check(
        shrinkLimit: 7, effort: Effort(environment: [:]), generate: StackOperation.random
      ) { commands, _ in
        runs += 1
        if commands.count > 20 { throw Mismatch("long") }
      }
    }
    #expect(failure.shrinkingRuns == 7)
    #expect(runs == 8)
    #expect(failure.commands.count > 20)
  }
}
