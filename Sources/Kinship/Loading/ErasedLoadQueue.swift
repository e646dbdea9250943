/// A load queue whose record type is known by number only.
///
/// Ids and records are arrays of the type.
protocol ErasedLoadQueue: AnyObject {
  var typeName: String { get }
  /// How many ids are asked for.
  var requestCount: Int { get }
  /// How many of them are not in a batch yet.
  var backlogCount: Int { get }
  /// How many waits there are: a waiter counts once for each id.
  var waitCount: Int { get }

  func refs(_ ids: any Sendable) -> [AnyRef]

  /// Makes a waiter wait for those of the ids that are neither in memory nor known missing.
  func request(
    _ ids: any Sendable, for waiter: Loader.WaiterID, _ map: borrowing IdentityMap
  ) -> LoadRequest

  /// Takes a waiter from ids; returns, for each id that nobody waits for any longer, its batch.
  func leave(_ ids: any Sendable, _ waiter: Loader.WaiterID) -> [Loader.BatchID]

  /// Takes ids out; returns those that were asked for.
  func take(_ ids: any Sendable) -> [LoadEntry]

  /// Takes all ids out of their batches and asks for them again; returns the batch of each.
  func putAllBack() -> [Loader.BatchID]
  /// Keeps an array of ids out of all batches; returns the batches they were wanted of.
  func hold(_ ids: any Sendable) -> [Loader.BatchID]
  /// Lets what was held into batches again.
  func release()

  /// Moves ids from the backlog into a batch.
  func takeBatch(_ batch: Loader.BatchID, limit: Int) -> (ids: any Sendable, count: Int)?

  /// Takes in the answer to a batch.
  ///
  /// - Throws: `KinshipError.unexpectedRecord`, before anything is taken in.
  func accept(
    _ records: any Sendable, of batch: Loader.BatchID, asked: any Sendable,
    _ map: inout IdentityMap
  ) throws(KinshipError) -> LoadAnswer

  /// Takes the ids of a batch out; returns who waits for them.
  func drop(_ ids: any Sendable, of batch: Loader.BatchID) -> [Loader.WaiterID]

  func audit(_ map: borrowing IdentityMap) -> [String]
}

/// An id that is asked for.
struct LoadEntry {
  /// The batch that it is in; `nil` in the backlog.
  var batch: Loader.BatchID?
  var waiters: WaiterList
}

/// What came of a request.
struct LoadRequest {
  /// How many ids the waiter waits for.
  var count = 0
  /// How many of them others had asked for.
  var coalesced = 0
  /// By batch: how many of its ids nobody had waited for.
  var wantedAgain: [Loader.BatchID: Int] = [:]
}

/// What came of an answer.
struct LoadAnswer {
  var loaded = 0
  var missing = 0
  /// For each id, those who wait for it.
  var waiters: [WaiterList] = []
}
