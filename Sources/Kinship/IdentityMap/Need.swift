/// Ids of one type, by number, that must be in memory, or known missing, before something can go on.
struct Need: Sendable {
  let type: Int
  /// An array of the type's ids.
  let ids: any Sendable
}
