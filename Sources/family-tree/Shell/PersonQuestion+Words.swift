extension PersonQuestion {
  /// Reads what follows `where` in the shell: conditions, `sort` with keys, `first` with a number.
  init(words: ArraySlice<String>, usage: String) throws(ShellMistake) {
    self.init()
    var rest = words
    while let word = rest.popFirst() {
      switch word {
      case "sort":
        guard let keys = rest.popFirst() else { throw .incomplete(usage: usage) }
        guard let order = PersonOrder.list(keys) else {
          throw .noQuestion(keys, usage: PersonOrder.usage)
        }
        self.order = order
      case "first":
        guard let text = rest.popFirst() else { throw .incomplete(usage: usage) }
        guard let count = Int(text), (1...10_000).contains(count) else {
          throw .noQuestion(text, usage: "a number from 1 to 10,000")
        }
        limit = count
      default:
        guard let condition = PersonCondition(word) else {
          throw .noQuestion(word, usage: PersonCondition.usage)
        }
        conditions.append(condition)
      }
    }
    if conditions.isEmpty { throw .incomplete(usage: usage) }
  }
}
