import KinshipTestSupport
import Testing

@testable import Kinship

/// The time for readers that must not be delayed.
struct StampClockTests {
  /// An event of a machine, in milliseconds.
  private enum Event: Command {
    /// Time passes, with or without a tick at its end.
    case pass(Int, ticking: Bool)
    case sleep(Int)
    case ask

    static func random(using generator: inout SplitMix64) -> Event {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<4: .pass(.random(in: 1..<10, using: &generator), ticking: false)
      case 4..<8: .pass(.random(in: 1..<30, using: &generator), ticking: true)
      case 8: .pass(.random(in: 1..<3_000, using: &generator), ticking: true)
      case 9: .sleep(.random(in: 0..<3_000, using: &generator))
      default: .ask
      }
    }
  }

  private final class Machine {
    /// The time since the start.
    private let time = Shared(0)
    private var asleep = 0
    /// The kernel's count at the last tick, and the time of that tick.
    private var noted = (ticks: 0, time: 0)
    private lazy var clock = TickedClock(isContinuous: true) { [time] in
      Stamp.after(.milliseconds(time.value))
    }

    private func pass(_ duration: Int, ticking: Bool) {
      time.change { $0 += duration }
      if ticking || time.value - noted.time >= 10 { tick() }
    }

    private func tick() { noted = (time.value - asleep, time.value) }

    func apply(_ event: Event) throws {
      switch event {
      case .pass(let duration, let ticking): pass(duration, ticking: ticking)
      case .sleep(let duration):
        // Its programs are stopped first, and the kernel notes the time of that.
        pass(1, ticking: true)
        asleep += duration
        pass(duration, ticking: false)
      case .ask:
        let told = clock.now(at: Int64(noted.ticks) * 1_000_000)
        try verify(told <= clock.read(), "\(told) is to come")
        try verify(told.after(Age(tenths: 1)) >= clock.read(), "\(told) is long past")
      }
    }
  }

  /// The machine sleeps, and ticks come late.
  @Test func `the ticked clock is at most a tenth of a second behind`() throws {
    try Property.check(
      seeds: 200, steps: 200, generate: { Event.random(using: &$0) }, system: { _ in Machine() },
      apply: { try $0.apply($1) })
  }

  @Test func `a rounded age is at most two tenths of a second too short`() {
    var generator = SplitMix64(seed: 7)
    var durations: [Duration] = [.zero, .seconds(-1), .milliseconds(1), .seconds(Int64.max)]
    for _ in 0..<10_000 {
      let bits = Int.random(in: 0..<88, using: &generator)
      durations.append(
        Duration(attoseconds: .random(in: 0...(Int128(1) << bits), using: &generator)))
    }
    let nineYears = Int64(9 * 365) * 24 * 36_000
    for duration in durations {
      let (age, exact) = (Int64(Age(justBelow: duration).tenths), Int64(Age(duration).tenths))
      #expect((min(exact, nineYears) - 2...exact).contains(age))
    }
  }
}
