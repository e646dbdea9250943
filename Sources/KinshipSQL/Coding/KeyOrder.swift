/// Where the columns of keys are, for what encodes or decodes rows one after another.
///
/// A record asks for its keys in the same order each time. So it is remembered of each turn which
/// key was asked for and where its column is, and searched only when another one is asked for.
package final class KeyOrder {
  private struct Turn {
    let key: String
    let position: Int
  }

  private let layout: RowLayout
  /// Where the parts of an id are, for an id of several columns.
  private let parts: [String: Int]?
  private var turns: [Turn] = []
  private var turn = 0

  package init(_ layout: RowLayout, parts: [String: Int]?) {
    self.layout = layout
    self.parts = parts
  }

  /// Goes back to the first key, for another record.
  package func restart() { turn = 0 }

  /// The position of what a key names; `nil` if the table has nothing of that name.
  @inline(__always)
  package func position(of key: some CodingKey) -> Int? {
    let name = key.stringValue
    let turn = turn
    if turn < turns.count {
      let next = turns[turn]
      if next.key == name {
        self.turn = turn + 1
        return next.position
      }
    }
    // Some ask first whether there is such a key, and whether there is a value.
    if turn > 0, case let last = turns[turn - 1], last.key == name { return last.position }
    return search(for: name)
  }

  private func search(for name: String) -> Int? {
    guard let position = parts.map({ $0[name] }) ?? layout.position(of: name) else { return nil }
    // Made elsewhere and then stored: what reads it need not ask whether somebody changes it.
    let known = turns.prefix(turn) + [Turn(key: name, position: position)]
    turns = Array(known)
    turn = known.count
    return position
  }
}
