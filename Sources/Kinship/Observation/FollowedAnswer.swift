/// The answer to a query that an observer follows.
struct FollowedAnswer<R: GraphRecord> {
  /// The records that fulfil the filter, before offset and limit are applied; of a query with a
  /// limit, those at the front of its order.
  let ids: Set<R.ID>
  /// The records that may have changed since.
  let changed: [R.ID]
  /// Whether no other record fulfils the filter.
  let isComplete: Bool
  /// Whether everything that has changed since is known once the followed store's log is.
  var isProven = true
}

/// The answer to a query in a snapshot.
package struct CapturedAnswer: Sendable {
  /// The query, as text.
  let key: String
  /// Whether no other record fulfils the filter.
  let isComplete: Bool
  /// The records of the answer, listed outside the lock.
  let ids: @Sendable () -> IDs
  /// The records that may have changed since.
  var changed: IDs
  /// Whether these are all: a store's log was followed since the answer was known.
  var isProven = true
}
