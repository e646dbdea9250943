package protocol Console: Sendable {
  /// The highlighting on standard output.
  var style: TextStyle { get }
  /// The width of a line in columns.
  var width: Int { get }

  func write(_ text: String) throws(OutputError)

  func complain(_ line: String)

  /// Shows the progress of long work, if a person watches; `nil` removes it.
  func show(progress: String?)
}

package enum OutputError: Error {
  /// The reader has closed the pipe: `family-tree | head`.
  case closed
  case failed(cause: String)
}

/// The highlighting of text in a terminal, or none.
package enum TextStyle: Sendable {
  case plain
  case ansi

  package func bold(_ text: String) -> String { sequence("1", text) }
  package func dim(_ text: String) -> String { sequence("2", text) }
  package func warning(_ text: String) -> String { sequence("33", text) }

  private func sequence(_ code: String, _ text: String) -> String {
    self == .plain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

package struct ProgressMeter {
  private let console: any Console
  private let activity: String
  private var next: ContinuousClock.Instant
  private var isShown = false

  package init(_ activity: String, on console: any Console, now: ContinuousClock.Instant = .now) {
    self.activity = activity
    self.console = console
    next = now + .milliseconds(300)
  }

  package mutating func update(_ share: Double, now: ContinuousClock.Instant = .now) {
    guard now >= next else { return }
    next = now + .milliseconds(100)
    isShown = true
    console.show(progress: "\(activity) \(Int(share * 100)) %")
  }

  package mutating func end() {
    if isShown { console.show(progress: nil) }
    isShown = false
  }
}
