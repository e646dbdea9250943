/// The place of the records when a deletion begins.
enum DeletionPlacement: Hashable, Sendable {
  /// In memory; there is no store.
  case memory
  /// In the store; memory is empty.
  case store
  /// All in the store, and the even or the odd in memory too.
  case half(Int)

  static let all: [DeletionPlacement] = [.memory, .store, .half(0), .half(1)]

  /// One of them: graphs of one shape, which follow each other, get different ones.
  static func some(for number: Int) -> DeletionPlacement { all[(number + number / 4) % 4] }
}
