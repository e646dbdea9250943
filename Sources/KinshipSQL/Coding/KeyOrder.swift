/// The positions of keys, for encoding or decoding rows one after another.
///
/// A record uses its keys in the same order each time. So this remembers the key and the position
/// for each turn, and searches only if another key is requested.
package final class KeyOrder {
  private let layout: RowLayout
  /// The positions of an id's parts, for an id of several columns.
  private let parts: [String: Int]?
  private var turns: [(key: String, position: Int)] = []
  private var turn = 0

  package init(_ layout: RowLayout, parts: [String: Int]?) {
    self.layout = layout
    self.parts = parts
  }

  package func restart() { turn = 0 }

  /// Returns the position of a key; `nil` if the table has nothing of that name.
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
    // Some decoders first ask whether a key exists, and whether it has a value.
    if turn > 0, case let last = turns[turn - 1], last.key == name { return last.position }
    return search(for: name)
  }

  private func search(for name: String) -> Int? {
    guard let position = parts.map({ $0[name] }) ?? layout.position(of: name) else { return nil }
    // Build a new array and then store it, so that reads need no exclusivity check.
    let known = turns.prefix(turn) + [(key: name, position: position)]
    turns = Array(known)
    turn = known.count
    return position
  }
}
