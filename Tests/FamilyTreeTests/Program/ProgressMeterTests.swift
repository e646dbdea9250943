import KinshipProgram
import Testing

@testable import family_tree

struct ProgressMeterTests {
  @Test func `quick work shows no progress`() {
    let (console, start) = (RecordedConsole(), ContinuousClock.now)
    var meter = ProgressMeter("Reading", on: console, now: start)
    meter.update(0.5, now: start + .milliseconds(299))
    meter.end()
    #expect(console.progress == [])
  }

  @Test func `long work shows progress ten times a second and clears it`() {
    let (console, start) = (RecordedConsole(), ContinuousClock.now)
    var meter = ProgressMeter("Reading", on: console, now: start)
    for tick in 0..<50 { meter.update(Double(tick) / 50, now: start + .milliseconds(10 * tick)) }
    meter.end()
    meter.end()
    #expect(console.progress == ["Reading 60 %", "Reading 80 %", nil])
  }
}
