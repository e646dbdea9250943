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

  /// A terminal gives the keys of a person to a process of its own.
  @Test(.enabled(if: LineEditor.shared != nil, "there is no libedit"))
  func `a person can edit a line and go back to the one before`() async {
    await #expect(processExitsWith: .success) {
      var (terminal, end): (Int32, Int32) = (-1, -1)
      guard openpty(&terminal, &end, nil, nil, nil) == 0 else { exit(1) }
      setenv("TERM", "xterm", 1)
      for file in [STDIN_FILENO, STDOUT_FILENO] { dup2(end, file) }
      let (left, up) = ("\u{1B}[D", "\u{1B}[A")
      _ = FileOutput.writeAll("hlp\(left)\(left)e\n\(up)!\n", to: terminal)
      let input = LineSource.standardInput
      let lines = [input.nextLine("> "), input.nextLine("> ")]
      exit(input.isTerminal && lines == ["help", "help!"] ? 0 : 2)
    }
  }
}
