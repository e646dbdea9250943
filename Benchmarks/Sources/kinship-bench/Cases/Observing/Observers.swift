import Foundation
import Kinship

extension Case {
  static let observers = Case(
    "observers",
    summary: "a transaction of one update, and what observers do about it; ns a transaction",
    sizeName: "unconcerned",
    sizes: { effort in
      effort == .full ? [1, 10, 100, 1_000, 10_000] : [1, 100, 1_000]
    }
  ) { size, effort in
    let population = Population<Person>(count: 20_000)
    let target = population.records[0].ref
    let others = population.records[1...size].map(\.ref)
    let count = effort.operations(10_000)
    let alone = try await Audience(population, observing: [])
    let one = try await Audience(population, observing: [target])
    let many = try await Audience(population, observing: others)
    let all = try await Audience(population, observing: [target] + others)

    return Comparison(
      size: size,
      systems: [
        System("one observer, who consumes", note: "Its turn ends before the next transaction.") {
          try await one.sample(updating: target, count: count, isConcerned: true)
        },
        System("no observer") {
          try await alone.sample(updating: target, count: count, isConcerned: false)
        },
        System("no observer, but two tasks that hand a number to each other and back") {
          try await TaskSwitch().sample(count)
        },
        System("others observed", bar: .ratio(1.5)) {
          try await many.sample(updating: target, count: count, isConcerned: false)
        },
        System("others observed, and one observer who consumes", bar: .ratio(1.5)) {
          try await all.sample(updating: target, count: count, isConcerned: true)
        },
      ])
  }
}

/// Persons, and observers of one person each.
private final class Audience: Sendable {
  private let cache: GraphCache
  private let counts: AsyncStream<Date>
  private let tasks: [Task<Void, any Error>]
  private let observers: Int

  /// Returns when all observers have received their persons and wait.
  init(_ population: Population<Person>, observing refs: [Ref<Person>]) async throws {
    let cache = try await population.cache()
    let (counts, continuation) = AsyncStream.makeStream(of: Date.self)
    tasks = refs.map { ref in
      Task {
        for try await change in cache.observe(ref) {
          if let date = change.value?.birth { continuation.yield(date) }
        }
      }
    }
    self.cache = cache
    self.counts = counts
    observers = refs.count
    var iterator = counts.makeAsyncIterator()
    for _ in refs { _ = await iterator.next() }
    while cache.statistics.waitingObservers < refs.count { await Task.yield() }
  }

  deinit { for task in tasks { task.cancel() } }

  /// Updates a person again and again, each time until its observer has the new value, if it has
  /// one.
  func sample(updating ref: Ref<Person>, count: Int, isConcerned: Bool) async throws -> Sample {
    var iterator = counts.makeAsyncIterator()
    let wakeups = cache.statistics.wakeups
    let first = (cache.peek(ref)?.birth.timeIntervalSinceReferenceDate ?? 0) + 1
    var received = 0
    let watch = Stopwatch()
    for number in 0..<count {
      let date = Date(timeIntervalSinceReferenceDate: first + Double(number))
      try await cache.write { try $0.update(ref, \.birth, to: date) }
      if isConcerned, await iterator.next() == date { received += 1 }
    }
    let elapsed = watch.elapsed
    // The last observer may not wait yet.
    while cache.statistics.waitingObservers < observers { await Task.yield() }
    let expected = isConcerned ? count : 0
    return Sample(
      elapsed, operations: count,
      checks: [
        Check("values received", received, expected: expected),
        Check("observers", cache.statistics.observers, expected: observers),
        // An observer that has not begun to wait when the next change comes is not woken.
        Check(
          "wake-ups in excess", max(0, cache.statistics.wakeups - wakeups - expected),
          expected: 0),
      ])
  }
}

/// A task that wakes for each number that it receives, and returns it.
///
/// This is the least cost of a value that wakes another task.
private struct TaskSwitch {
  func sample(_ count: Int) async throws -> Sample {
    let (there, give) = AsyncStream.makeStream(of: Int.self)
    let (back, answer) = AsyncStream.makeStream(of: Int.self)
    let task = Task { for await number in there { answer.yield(number) } }
    defer { task.cancel() }
    var iterator = back.makeAsyncIterator()
    var received = 0
    let watch = Stopwatch()
    for number in 0..<count {
      give.yield(number)
      if await iterator.next() == number { received += 1 }
    }
    return Sample(
      watch.elapsed, operations: count,
      checks: [Check("numbers received", received, expected: count)])
  }
}
