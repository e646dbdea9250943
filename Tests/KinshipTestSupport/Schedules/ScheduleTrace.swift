/// The choices of a schedule, in order: equal traces of the same body are the same interleaving.
public struct ScheduleTrace: Hashable, Sendable, CustomStringConvertible {
  /// One event of a schedule.
  public enum Event: Hashable, Sendable {
    /// The job at an index ran, of so many ready ones, the longest ready first.
    case choice(Int, of: Int)
    /// A note of the body.
    case note(String)
  }

  /// All that happened.
  public internal(set) var events: [Event] = []

  /// The notes alone.
  public var notes: [String] {
    events.compactMap { event in
      if case .note(let text) = event { text } else { nil }
    }
  }

  /// The choices as `index/count`, each sequence of them on a line, between the notes.
  public var description: String {
    var lines: [String] = []
    var choices: [String] = []
    for event in events {
      switch event {
      case .choice(let index, let count):
        choices.append("\(index)/\(count)")
      case .note(let text):
        if !choices.isEmpty { lines.append("  " + choices.joined(separator: " ")) }
        choices = []
        lines.append("- " + text)
      }
    }
    if !choices.isEmpty { lines.append("  " + choices.joined(separator: " ")) }
    return lines.joined(separator: "\n")
  }
}
