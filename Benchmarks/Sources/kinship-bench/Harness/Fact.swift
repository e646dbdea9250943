/// An additional count of a run, without a bar.
struct Fact: Codable {
  let what: String
  let value: Double

  init(_ what: String, _ value: Double) {
    self.what = what
    self.value = value
  }

  /// The medians of the counts of several runs.
  static func medians(of samples: [Sample]) -> [Fact] {
    let facts = samples.flatMap(\.facts)
    return facts.map(\.what).uniqued().map { what in
      Fact(what, Quantiles(facts.filter { $0.what == what }.map(\.value)).median)
    }
  }
}
