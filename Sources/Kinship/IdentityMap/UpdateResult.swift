/// The result of an update in place.
@usableFromInline
enum UpdateResult<ID: Sendable>: Sendable {
  case updated
  case absent
  /// The update would have given the value another identity; nothing has changed.
  case identityChanged(ID)
}
