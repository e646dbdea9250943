/// What came of putting a value back that was captured earlier.
@usableFromInline
enum RestoreResult: Sendable {
  case restored
  /// The map knows better.
  case known
  /// There is no room for it, nor for what was used less recently.
  case full
}
