extension FileStore {
  /// Makes changes, all or none.
  ///
  /// Changes that several tasks make at the same time are written and synced together.
  ///
  /// - Parameter changes: What to insert, update and delete.
  /// - Throws: `KinshipError.exists` for a record to insert that exists, `.conflict` for one to
  ///   update or delete that does not, or has another version (``Versioned``); `.untranslatable`
  ///   for one that cannot be encoded; `.fileFailed` with a ``SystemError`` if the files cannot be
  ///   written; `.closed`; `CancellationError` if the task is cancelled before it begins. Then
  ///   nothing has changed, and nothing of it is found when the store is opened again.
  /// - Complexity: O(*n*) in the changes.
  public func apply(_ changes: ChangeSet) async throws {
    try Task.checkCancellation()
    for type in changes.types { try type.requireStable() }
    try await writer.commit(changes)
  }

  /// Nothing is changed unless all is, and what fails is not found when the store is opened again.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: `true`.
  public func isRefusal(_ error: any Error) -> Bool { true }
}
