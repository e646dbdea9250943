/// The counters of the loader.
struct LoadTally: Hashable, Sendable {
  /// Records that the store returned.
  var loaded = 0
  /// Ids that do not exist, according to the store.
  var missing = 0
  var batches = 0
  var queries = 0
  var failedBatches = 0
  var abandonedBatches = 0
  /// Waits that joined a request in flight.
  var coalescedWaits = 0
}
