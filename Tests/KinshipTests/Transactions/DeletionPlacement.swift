/// Where the records are when a deletion begins.
enum DeletionPlacement: Hashable, Sendable {
  /// In memory; there is no store.
  case memory
  /// In the store; memory is empty.
  case store
  /// All in the store, and the even or the odd in memory too.
  case half(Int)
}
