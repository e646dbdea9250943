import Foundation
import KinshipProgram
import Testing

struct StandardConsoleTests {
  @Test func `a line is as wide as the terminal`() throws {
    var (terminal, end): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 132, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&terminal, &end, nil, nil, &size) == 0)
    defer { [terminal, end].forEach { close($0) } }
    func width(_ environment: [String: String]) -> Int {
      StandardConsole(error: end, output: end, environment: environment).width
    }
    #expect(width([:]) == 132)
    #expect(width(["COLUMNS": "60"]) == 132)
  }

  @Test(arguments: [([:], 80), (["COLUMNS": "120"], 120), (["COLUMNS": "x"], 80)])
  func `elsewhere a line has the columns of the environment, or 80`(
    environment: [String: String], width: Int
  ) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(
      StandardConsole(error: ends[1], output: ends[1], environment: environment).width == width)
  }

  @Test(arguments: [
    ("fathr", "father"), ("Name", "name"), ("nmae", "name"), ("fa", "father"), ("--name", "name"),
    ("x", nil), ("deep", nil), ("", nil),
  ])
  func `a misspelt name is similar to one of several`(text: String, name: String?) {
    #expect(["id", "name", "father", "mother"].nearest(to: text) == name)
  }
}
