extension KinshipError {
  /// A wrong call.
  public enum Misuse: Sendable {
    /// An update would have given a record another identity.
    case identityChanged(from: AnyRef, to: AnyRef)
    /// A graph cannot grow from a ref that it neither holds nor refers to.
    case unrelated(AnyRef)
    /// A filter with a condition on related records was evaluated outside of a cache: only a cache
    /// can load these.
    case unresolvedCondition(type: String, property: String)
    /// A cursor belongs to another query for records of that type.
    case foreignCursor(type: String)
    /// The function of a view reads something new each time it runs.
    case viewNeverSettles(type: String, rounds: Int)
    /// The function of a view returns another value for the same records. Only debug builds look
    /// for this.
    case impureView(type: String)
    /// A call would wait for ever: it waits for another call, which waits for the one within which
    /// it is made.
    case waitsForItself(CacheCall, within: CacheCall)
    /// The closure of a transaction read a record through the cache, by `peek` or `contains`, which
    /// return the value from before the transaction; nothing has changed.
    case readPastTransaction(AnyRef)
    /// A transaction changes records of several stores, and none of them leads: see `RoutedStore`;
    /// nothing has changed.
    ///
    /// `types` are the names of the types that it changes, a list for each store.
    case changesSeveralStores(types: [[String]])
    /// A backing store is read-only.
    case readOnlyStore(String)
    /// A backing store does not support an operation.
    case unsupported(store: String, operation: String)
    /// A change set cannot be inverted: a record's old value is not known.
    case notInvertible(AnyRef)
    /// A store or a file was used after it was closed.
    case closed(path: String)
  }
}

extension KinshipError.Misuse: CustomStringConvertible {
  /// The mistake in a sentence.
  public var description: String {
    switch self {
    case .unresolvedCondition(let type, let property):
      "The condition on the records of \(type).\(property) was evaluated outside of a cache. Only "
        + "a cache can load them: ask it with `find`."
    case .foreignCursor(let type):
      "The cursor belongs to another query for \(type). Use it with the filter and the order of "
        + "the query that returned it."
    case .viewNeverSettles(let type, let rounds):
      """
      The function of a view of “\(type)” has read something new in each of \(rounds) rounds. Its \
      value must depend only on the records that it reads.
      """
    case .impureView(let type):
      """
      The function of a view of “\(type)” has returned two different values for the same records. \
      Its value must depend only on the records that it reads.
      """
    case .waitsForItself(let call, let outer):
      "Within \(outer), \(call) would wait for itself. Make the call after the other has ended."
    case .readPastTransaction(let ref):
      "\(ref) was read through the cache inside a transaction, where it may be out of date. Read "
        + "it through the transaction: `tx[ref]`."
    case .changesSeveralStores(let types):
      "A transaction changes records of several stores, and none of them leads: "
        + types.map { $0.joined(separator: ", ") }.joined(separator: "; ")
        + ". Name one in `RoutedStore(leading:)`, or write to each store by itself."
    case .readOnlyStore(let name):
      "\(name) is read-only, so it cannot apply changes. Open it for writing, or give it a way to: "
        + "`apply(_:)`, or `applying` of ClosureStore."
    case .unsupported(let store, let operation):
      "\(store) does not support \(operation). Add the operation to it, or use a store that has it."
    case .notInvertible(let ref):
      "The change of \(ref) cannot be inverted, because the record from before it is not known. "
        + "Load the record before you change it."
    case .closed(let path):
      "\(path) was closed before this call. Open it again to use it."
    case .identityChanged(let old, let new):
      "An update of \(old) changed its id, to \(new). Keep the id, or delete the record and insert "
        + "another."
    case .unrelated(let ref):
      "The graph neither holds \(ref) nor refers to it. Expand it from one of its refs, or load "
        + "the graph of \(ref)."
    }
  }
}
