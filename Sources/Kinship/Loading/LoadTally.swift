/// What the loader counts as it works.
struct LoadTally: Hashable, Sendable {
  /// Records that came from the store.
  var loaded = 0
  /// Ids that the store said do not exist.
  var missing = 0
  var batches = 0
  var queries = 0
  var failedBatches = 0
  var abandonedBatches = 0
  /// Waits that joined a request that was under way already.
  var coalescedWaits = 0
}
