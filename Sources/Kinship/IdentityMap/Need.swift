/// Ids of one type, by number, that must be in memory, or known missing, before something can go on.
@usableFromInline
struct Need: Sendable {
  @usableFromInline let type: Int
  /// An array of the type's ids.
  @usableFromInline let ids: any Sendable

  @inlinable
  init(type: Int, ids: any Sendable) {
    self.type = type
    self.ids = ids
  }
}
