/// A count that a system must get right: a wrong one fails the run, however fast it was.
struct Check {
  let what: String
  let expected: Int
  let actual: Int

  init(_ what: String, _ actual: Int, expected: Int) {
    self.what = what
    self.expected = expected
    self.actual = actual
  }

  var holds: Bool { actual == expected }
}
