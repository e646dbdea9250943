import KinshipTestSupport

/// What a user can do with a cache.
enum CacheCommand: Command {
  case put(Key, Entry)
  case putMany(Kind, [Int], Entry)
  case replace(Key, Entry)
  case updateProperty(Key, Int)
  case updateClosure(Key, Entry)
  case updateThatThrows(Key)
  case remove(Key)
  case removeAll
  case read(Key)
  case readInPlace(Key)
  case readMany(Kind, [Int])
  case reduce(Kind, [Int])
  case find(Key)
  case findMany(Kind, [Int])
  /// A query: whether the largest values come first, where to begin, and the limit.
  case query(Kind, descending: Bool, offset: Int, limit: Int?)
  case resolve(Key)
  case resolveMany(Kind, [Int])
  case related(Key, Entry)
  case graph(Key, ReferencePlan)
  /// Grows one of the graphs that are held.
  case expand(Int, Key, ReferencePlan)
  case evict(Key)
  case invalidate(Key)
  case trim(Int)
  case lease(Kind, [Int])
  case leaseGraph(Int)
  case endLease(Int)
  case listen(Bool)
  /// A transaction: its steps; whether it goes on after a step that throws; whether the store fails;
  /// whether it is taken back.
  case write([TransactionStep], catches: Bool, storeFails: Bool, undoes: Bool)
  /// Begins to capture this moment.
  case capture
  /// Reads some of what is being captured.
  case readCapture(Int)
  /// Reads the rest, and compares it.
  case endCapture
  /// Restores what was captured last.
  case restore
  /// Changes what the store holds, behind the cache's back.
  case store(Key, Entry?)
}
