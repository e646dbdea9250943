/// Where a query looks for records.
public enum QuerySource: Hashable, Sendable {
  /// Where the data are: in the backing store, with what pending writes show; without a store, in
  /// memory.
  case dataLayer
  /// In memory alone, among what happens to be there: no call is made.
  case cachedOnly
}
