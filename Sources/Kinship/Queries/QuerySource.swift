/// The place in which a query looks for records.
public enum QuerySource: Hashable, Sendable {
  /// The backing store, with pending writes applied; without a store, memory.
  case dataLayer
  /// Memory alone, with the records that happen to be there: the cache does not call the store.
  case cachedOnly
}
