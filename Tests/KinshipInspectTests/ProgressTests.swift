import Foundation
import KinshipProgram
import Testing

@testable import kinship_inspect

/// Progress is shown only if the output is a terminal.
struct ProgressTests {
  /// The output to one end while progress is shown, as read from the other end.
  private func shown(
    on end: Int32, reading other: Int32, environment: [String: String] = [:]
  ) -> String {
    let console = StandardConsole(error: end, environment: environment)
    var meter = ProgressMeter("Reading royal", on: console, now: .now - .seconds(1))
    meter.update(0.25)
    meter.end()
    console.complain("end")
    // A terminal may return the output in any number of parts.
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1_000)
    while !text.suffix(5).contains(UInt8(ascii: "\n")) {
      let count = read(other, &bytes, bytes.count)
      if count <= 0 { break }
      text += bytes.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `a terminal shows a progress bar and clears it`() {
    var (terminal, end): (Int32, Int32) = (-1, -1)
    guard openpty(&terminal, &end, nil, nil, nil) == 0 else { return }
    defer { [terminal, end].forEach { close($0) } }
    let clear = "\r\u{1B}[K"
    #expect(
      shown(on: end, reading: terminal) == "\(clear)Reading royal 25 %\(clear)end\r\n")
    #expect(shown(on: end, reading: terminal, environment: ["TERM": "dumb"]) == "end\r\n")
  }

  @Test func `a pipe shows no progress bar`() {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(shown(on: ends[1], reading: ends[0]) == "end\n")
  }
}
