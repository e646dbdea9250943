import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipMemoryPressure

/// Tests of which levels are reported, and when.
struct MemoryPressureTests {
  private static let limit = 1 << 30

  /// A gauge beside a model of the readings.
  private struct System {
    let memory = SimulatedMemory.container(limit: limit)
    var gauge: MemoryGauge
    var now = Duration.zero
    var used = 0
    /// The stall times of some tasks, and of all.
    var stalls: (some: Duration, full: Duration) = (.zero, .zero)
    /// The time of the last reported warning, if it has lasted ever since.
    var warned: Duration?
    /// The stalls at the last look, and the time of that look.
    var second: (stalls: (some: Duration, full: Duration), time: Duration)?

    init() {
      let memory = memory
      gauge = MemoryGauge { memory[$0] }
    }

    /// The expected level, by the rules of the documentation.
    mutating func expected() -> MemoryPressure.Level? {
      var told: [MemoryPressure.Level] = []
      if used * 10 >= limit * 9 {
        told.append(.critical)
        warned = now
      } else if used * 10 >= limit * 8 {
        if warned.map({ now - $0 >= .seconds(1) }) ?? true {
          told.append(.warning)
          warned = now
        }
      } else {
        warned = nil
      }
      if second.map({ now - $0.time >= .seconds(1) }) ?? true {
        if let second {
          let tenth = (now - second.time) / 10
          if stalls.some - second.stalls.some >= tenth { told.append(.warning) }
          if stalls.full - second.stalls.full >= tenth { told.append(.critical) }
        }
        second = (stalls, now)
      }
      return told.max()
    }

    mutating func look() throws {
      memory.use(used)
      memory.stall(some: stalls.some, full: stalls.full)
      let look = gauge.look(at: now) { [memory] in memory[$0] }
      try verifyEqual(look.level, expected(), "the level at \(now), \(used) used")
      try verify(look.rest >= .milliseconds(20) && look.rest <= .seconds(1), "\(look.rest)")
      // A process that allocates a gigabyte in a second is noticed between any two marks that are
      // not too close.
      let seconds = look.rest / .seconds(1)
      let marks = [0.8, 0.9, 1].map { Int($0 * Double(limit)) }
      let passed = marks.filter { $0 > used + 1 && $0 + 1 < used + Int(seconds * Double(1 << 30)) }
      try verify(
        look.rest == .milliseconds(20) || passed.isEmpty, "\(used), \(look.rest): \(passed)")
    }
  }

  private enum Event: Command {
    case use(percent: Int)
    case pass(milliseconds: Int)
    case stall(some: Int, full: Int)
    case look

    static func random(using generator: inout SplitMix64) -> Event {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<3: .use(percent: Int.random(in: 60...100, using: &generator))
      case 3..<6: .pass(milliseconds: Int.random(in: 1...900, using: &generator))
      case 6:
        .stall(
          some: Int.random(in: 0...200, using: &generator),
          full: Int.random(in: 0...200, using: &generator))
      default: .look
      }
    }

    var shrunk: [Event] { [] }
  }

  @Test func `a pressure level is reported when reached and while it lasts`() throws {
    try Property.check(seeds: 100, generate: Event.random) { _ in
      System()
    } apply: { system, event in
      switch event {
      case .use(let percent): system.used = Self.limit / 100 * percent
      case .pass(let milliseconds): system.now += .milliseconds(milliseconds)
      case .stall(let some, let full):
        system.stalls.some += .milliseconds(max(some, full))
        system.stalls.full += .milliseconds(full)
      case .look: try system.look()
      }
    }
  }

  @Test func `a sequence of levels checks again until it is cancelled`() async throws {
    let memory = SimulatedMemory.container(limit: Self.limit)
    let clock = ManualClock()
    let told = Lock<[MemoryPressure.Level]>([])
    let listening = Task {
      for await level in MemoryPolls(clock: clock, text: { memory[$0] }) {
        told.withLock { $0.append(level) }
      }
    }
    func pass(_ time: Duration) async throws {
      try await clock.waitForSleepers(1)
      clock.advance(by: time)
      try await clock.waitForSleepers(1)
    }
    try await pass(.seconds(1))
    #expect(told.withLock(\.self) == [])
    memory.use(Self.limit / 100 * 85)
    try await pass(.seconds(1))
    #expect(told.withLock(\.self) == [.warning])
    memory.use(Self.limit / 100 * 95)
    try await pass(.milliseconds(100))
    #expect(told.withLock(\.self) == [.warning, .critical])
    memory.use(0)
    try await pass(.seconds(1))
    #expect(told.withLock(\.self) == [.warning, .critical])
    listening.cancel()
    await listening.value
    #expect(clock.sleeperCount == 0)
  }

  @Test func `an unknown memory use reports no level`() async throws {
    let clock = ManualClock()
    let listening = Task {
      var levels = MemoryPolls(clock: clock, text: { _ in nil }).makeAsyncIterator()
      return await levels.next()
    }
    for _ in 0..<5 {
      try await clock.waitForSleepers(1)
      clock.advance(by: .seconds(1))
    }
    listening.cancel()
    #expect(await listening.value == nil)
  }

  @Test func `the machine's pressure counts if the group reports none`() {
    let memory = SimulatedMemory([:])
    var gauge = MemoryGauge { memory[$0] }
    func tell(_ microseconds: Int, at seconds: Int) -> MemoryPressure.Level? {
      memory["/proc/pressure/memory"] = "some avg10=9.99 total=\(microseconds)\nfull total=0\n"
      return gauge.look(at: .seconds(seconds)) { memory[$0] }.level
    }
    #expect(tell(5_000_000, at: 0) == nil, "what was before does not count")
    #expect(tell(5_050_000, at: 1) == nil)
    #expect(tell(5_200_000, at: 2) == .warning)
    memory["/proc/pressure/memory"] = "Operation not supported"
    #expect(gauge.look(at: .seconds(3)) { memory[$0] }.level == nil)
  }
}
