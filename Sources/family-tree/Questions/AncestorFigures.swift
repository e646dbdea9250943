/// What can be counted above one person.
struct AncestorFigures: Equatable {
  /// Distinct ancestors.
  var ancestors = 0
  /// Those within ten generations.
  var near = 0
  /// The ways that lead up to an ancestor; `UInt64.max` is that many or more.
  var paths: UInt64 = 0
  /// The length of the longest line.
  var generations = 0
}
