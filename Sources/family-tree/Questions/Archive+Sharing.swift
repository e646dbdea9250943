import Kinship
import KinshipProgram

/// A genealogy that others edit at the same time.
extension Archive {
  /// Begins to hear of what others change.
  ///
  /// - Returns: What ends it when it goes away; nil where nobody else can edit the genealogy.
  func follow() -> GraphCache.Following? { stored?.shared.map { cache.follow($0) } }

  /// Brings memory up to date with what others have changed until now.
  ///
  /// - Parameter limit: How long to wait for the store's answer.
  /// - Throws: `Failure` if the store does not answer, or not in time.
  func catchUp(within limit: Duration) async throws {
    guard let editions, let store = stored?.shared else { return }
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await editions.catchUp(with: store) }
        group.addTask {
          try await Task.sleep(for: limit)
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
