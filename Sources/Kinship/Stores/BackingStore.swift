/// The way out of memory: a database, an ORM, an API or files, behind one protocol.
///
/// ```swift
/// struct FamilyStore: BackingStore {
///   let api: FamilyAPI
///
///   func fetch<R: Record>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
///     switch type {
///     case is Person.Type: try await records(ids, from: api.people)
///     case is Event.Type: try await records(ids, from: api.events)
///     default: throw KinshipError.unknownType(R.recordName)
///     }
///   }
///
///   /// `T` is `R`: the switch has seen to it, and the casts tell the compiler.
///   private func records<R: Record, T: Record>(
///     _ ids: [R.ID], from source: ([T.ID]) async throws -> [T]
///   ) async throws -> [R] {
///     guard let ids = ids as? [T.ID], let records = try await source(ids) as? [R] else {
///       throw KinshipError.unknownType(R.recordName)
///     }
///     return records
///   }
/// }
/// ```
///
/// The cache asks for the records of one type at a time, in batches, each id once, and from several
/// tasks at a time within its ``FetchLimits``.
///
/// - Errors: What `fetch` throws reaches everybody who waits for those ids, as the cause of
///   ``KinshipError/fetchFailed(type:ids:cause:)``. The cache remembers nothing of it: the next read
///   asks again.
/// - Cancellation: When nobody waits for a batch any longer, the task that runs `fetch` is cancelled.
///   A fetch counts as in flight until it returns, so a store that ignores cancellation delays others.
public protocol BackingStore: Sendable {
  /// Fetches records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The records that exist, in any order, each once. Ids that are left out do not exist,
  ///   and the cache remembers that until a write or an invalidation says otherwise.
  /// - Throws: Whatever keeps the store from answering.
  func fetch<R: Record>(_ type: R.Type, ids: [R.ID]) async throws -> [R]
}
