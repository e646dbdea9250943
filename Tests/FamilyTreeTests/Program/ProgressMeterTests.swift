import Foundation
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

  /// Processor time is compared, because it does not depend on what else the machine does.
  @Test(.needsRoyalFile) func `the progress of reading a file moves evenly`() throws {
    func processorTime() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let text = String(decoding: try RoyalFile.bytes(), as: UTF8.self)
    let copies = (0..<4).map {
      text.replacing("@I", with: "@I\($0)_").replacing("@F", with: "@F\($0)_")
    }
    var (shares, times): ([Double], [Double]) = ([0], [processorTime()])
    _ = try GenealogyReader.read(Array(copies.joined(separator: "\n").utf8)) { share in
      shares.append(share)
      times.append(processorTime())
    }
    let total = processorTime() - times[0]
    for (before, after) in zip(shares, shares.dropFirst()) {
      #expect(after >= before && after - before < 0.05)
    }
    #expect(shares.last.map { $0 > 0.95 } == true)
    for (share, time) in zip(shares, times) {
      #expect(abs(share - (time - times[0]) / total) < 0.25)
    }
  }
}
