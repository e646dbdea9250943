/// The place of the records when a deletion begins.
enum DeletionPlacement: Hashable, Sendable {
  /// Everything is in memory, and there is no store.
  case memory
  /// Everything is in the store, and memory is empty.
  case store
  /// Everything is in the store, and the even or the odd nodes in memory too.
  case half(Int)

  static let all: [DeletionPlacement] = [.memory, .store, .half(0), .half(1)]

  /// One of them: consecutive graphs of one shape get different ones.
  static func some(for number: Int) -> DeletionPlacement { all[(number + number / 4) % 4] }
}
