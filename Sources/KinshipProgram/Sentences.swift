extension String {
  /// The message with a capital letter, and with a full stop at the end of its first line.
  ///
  /// The lines after the first are lists and hints, which stay as they are.
  package var asSentences: String {
    let lines = split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard var first = lines.first.map({ String($0) }), let last = first.last else { return self }
    if first.beginsWithWord { first = first.prefix(1).uppercased() + first.dropFirst() }
    if !".?!:…".contains(last) { first += "." }
    return ([first] + lines.dropFirst().map { String($0) }).joined(separator: "\n")
  }

  /// Whether the text begins with a word, and not with an option, a file or a record.
  private var beginsWithWord: Bool {
    let word = prefix { $0 != " " && $0 != "," && $0 != ";" }
    return !word.isEmpty && word.allSatisfy { ("a"..."z").contains($0) }
  }
}
