import Kinship
import KinshipProgram

/// A genealogy that others edit at the same time.
extension Archive {
  /// For how long it is waited for the store to say what others have changed.
  static let longestCatchUp = Duration.seconds(10)

  /// Begins to hear of what others change.
  ///
  /// - Returns: What ends it when it goes away; nil where nobody else can edit the genealogy.
  func follow() -> GraphCache.Following? { stored?.shared.map { cache.follow($0) } }

  /// Sees to it that memory knows what others have changed until now.
  ///
  /// - Throws: `Failure` if the store does not say it, or not in time.
  func catchUp() async throws {
    guard let editions, let store = stored?.shared else { return }
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await editions.catchUp(with: store) }
        group.addTask {
          try await Task.sleep(for: Self.longestCatchUp)
          throw Failure(status: .unreadable, message: "it takes too long")
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch {
      let cause = (error as? Failure)?.message ?? "\(error)"
      throw Failure(
        status: (error as? any DataError)?.isOfData == true ? .badData : .unreadable,
        message: "it is not known what others have changed: \(cause)")
    }
  }
}
