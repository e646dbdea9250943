import KinshipTestSupport
import Testing

@testable import Kinship

/// A value that one task waits for.
struct PromiseTests {
  @Test(arguments: [false, true])
  func `the first result of a promise counts`(isAwaitedFirst: Bool) async throws {
    let promise = Promise<Int>()
    let gate = Gate()
    let waiting = Task {
      await gate.waitIgnoringCancellation()
      return try await promise.value()
    }
    if isAwaitedFirst {
      gate.open()
      for _ in 0..<10 { await Task.yield() }
    }
    #expect(promise.resolve(.success(1)))
    #expect(!promise.resolve(.success(2)))
    gate.open()
    #expect(try await waiting.value == 1)
    #expect(!promise.resolve(.failure(CancellationError())))
  }

  @Test func `a promise may fail with an error`() async {
    struct Refused: Error {}
    let promise = Promise<Void>()
    promise.resolve(.failure(Refused()))
    promise.resolve()
    await #expect(throws: Refused.self) { try await promise.value() }
  }

  @Test(arguments: [false, true])
  func `a cancelled waiter for a promise ends at once`(before: Bool) async {
    let promise = Promise<Void>()
    let gate = Gate()
    let waiting = Task {
      if before { await gate.waitIgnoringCancellation() }
      try await promise.value()
    }
    if !before { for _ in 0..<10 { await Task.yield() } }
    waiting.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(!promise.resolve(.success(())))
  }

  @Test func `a waiter that must not leave a promise stays`() async throws {
    let (promise, cancelled) = (Promise<Int>(), Promise<Void>())
    let waiting = Task { try await promise.value { cancelled.resolve() } }
    waiting.cancel()
    try await cancelled.value()
    #expect(promise.resolve(.success(1)))
    #expect(try await waiting.value == 1)
  }

  @Test func `a result and a cancellation have one order`() async throws {
    for number in 0..<2_000 {
      let promise = Promise<Int>()
      let waiting = Task { try await promise.value() }
      let giving = (0..<2).map { giver in Task { promise.resolve(.success(giver)) } }
      if number.isMultiple(of: 2) { await Task.yield() }
      waiting.cancel()
      let given = [await giving[0].value, await giving[1].value]
      switch await waiting.result {
      case .success(let giver): #expect(given == [giver == 0, giver == 1])
      case .failure: #expect(given == [false, false])
      }
    }
  }
}
