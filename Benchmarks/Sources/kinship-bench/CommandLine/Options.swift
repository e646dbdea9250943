/// The options of a run.
struct Options: Equatable {
  var effort = Effort.full
  var rounds: Int?
  /// The cases to run; all if it is empty.
  var only: [String] = []
  /// The greatest size to measure.
  var largest = Int.max
  /// A genealogy to measure as well.
  var gedcomPath: String?
  var jsonPath: String?
  var svgPath: String?
}
