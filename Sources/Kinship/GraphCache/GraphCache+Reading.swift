public import Synchronization

extension GraphCache {
  /// The record in memory that a ref names, which becomes the most recently used.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The record, or `nil` if it is not in memory: see ``find(_:)-(Ref<R>)`` to load it.
  /// - Complexity: O(1) on average.
  @inlinable
  public subscript<R: Record>(ref: Ref<R>) -> R? {
    state.withLock { $0.map.read(ref.id, as: R.self) }
  }

  /// The records in memory that refs name, which become the most recently used, in order.
  ///
  /// - Parameter refs: The refs.
  /// - Returns: For each ref its record, or `nil` where it is not in memory.
  /// - Complexity: O(*n*) in the refs, on average.
  @inlinable
  public func records<R: Record>(for refs: [Ref<R>]) -> [R?] {
    var records: [R?] = []
    records.reserveCapacity(refs.count)
    var rest = refs[...]
    while !rest.isEmpty {
      // In portions, so that `peek` never waits for long.
      let portion = rest.prefix(256)
      rest = rest.dropFirst(256)
      state.withLock { state in
        for ref in portion { records.append(state.map.read(ref.id, as: R.self)) }
      }
    }
    return records
  }

  /// The record in memory that a ref names, synchronously and from any thread.
  ///
  /// It shows the last committed version, for a first frame on the main actor, say. It leaves no
  /// trace: neither the order of use nor the statistics change. It waits at most for one operation
  /// in memory, never for the store.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The record, or `nil` if it is not in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  public nonisolated func peek<R: Record>(_ ref: Ref<R>) -> R? {
    state.withLock { $0.map.peek(ref.id, as: R.self) }
  }

  /// Whether a record is in memory. It leaves no trace.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: Whether it is in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  public nonisolated func contains<R: Record>(_ ref: Ref<R>) -> Bool {
    state.withLock { $0.map.contains(ref.id, as: R.self) }
  }

  /// The number of records in memory.
  public nonisolated var count: Int { state.withLock { $0.map.count } }

  /// The number of records of a type in memory.
  ///
  /// - Parameter type: The record type.
  /// - Returns: How many there are.
  @inlinable
  public nonisolated func count<R: Record>(of type: R.Type) -> Int {
    state.withLock { $0.map.count(of: type) }
  }
}
