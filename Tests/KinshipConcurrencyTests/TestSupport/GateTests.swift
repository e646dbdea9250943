import Testing

@testable import KinshipTestSupport

struct GateTests {
  @Test func `an open gate lets every task pass`() async throws {
    let gate = Gate(isOpen: true)
    try await gate.wait()
    await gate.waitIgnoringCancellation()
    #expect(gate.isOpen)
    #expect(gate.waiterCount == 0)
  }

  @Test func `a closed gate holds tasks until it opens`() async throws {
    let gate = Gate()
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await gate.wait() } }
      try await gate.waitForWaiters(20)
      #expect(gate.waiterCount == 20)
      gate.open()
      gate.open()
      try await group.waitForAll()
    }
    #expect(gate.waiterCount == 0)
  }

  @Test func `a cancelled waiter at a gate returns at once`() async throws {
    let gate = Gate()
    let waiter = Task { try await gate.wait() }
    try await gate.waitForWaiters(1)
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(gate.waiterCount == 0)
    #expect(!gate.isOpen)
  }

  @Test func `a task cancelled before it waits returns at once`() async throws {
    let begin = Gate()
    let gate = Gate()
    let waiter = Task {
      await begin.waitIgnoringCancellation()
      try await gate.wait()
    }
    waiter.cancel()
    begin.open()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test func `a wait at a gate can ignore cancellation`() async throws {
    let gate = Gate()
    let waiter = Task { await gate.waitIgnoringCancellation() }
    try await gate.waitForWaiters(1)
    waiter.cancel()
    #expect(gate.waiterCount == 1)
    gate.open()
    await waiter.value
  }

  @Test func `a wait for waiters can be cancelled`() async throws {
    let gate = Gate()
    let observer = Task { try await gate.waitForWaiters(2) }
    observer.cancel()
    await #expect(throws: CancellationError.self) { try await observer.value }
  }

  @Test func `a test that waits in vain fails and names the missing event`() async throws {
    let error = await #expect(throws: NeverHeld.self) {
      try await Wait().untilAwaited(at: "here", limit: 1) { "nobody has come" }
    }
    #expect(error?.description == "here: nobody has come")
  }

  @Test func `opening and cancelling at once ends every wait`() async throws {
    for _ in 0..<200 {
      let gate = Gate()
      let waiters = (0..<4).map { _ in Task { try await gate.wait() } }
      try await gate.waitForWaiters(4)
      await withTaskGroup { group in
        group.addTask { gate.open() }
        for waiter in waiters { group.addTask { waiter.cancel() } }
      }
      for waiter in waiters {
        if case .failure(let error) = await waiter.result { #expect(error is CancellationError) }
      }
      #expect(gate.waiterCount == 0)
    }
  }
}
