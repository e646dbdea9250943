extension History {
  /// Finds an order, one operation after the other, that explains every answer, and in which no
  /// operation comes before one that had returned when it was called.
  ///
  /// The search is that of Wing and Gong (1993), which remembers rejected states (Lowe, 2017). An
  /// operation that never returned may take effect at any time after its call. It may also come
  /// after all others, which is as good as never.
  ///
  /// - Parameter model: The state at the beginning.
  /// - Returns: The indices of the entries in such an order, or `nil` if there is none.
  /// - Precondition: There are 64 entries at most.
  /// - Complexity: Exponential in the number of operations that overlap; near linear in those that
  ///   do not.
  @inlinable
  public func linearization<Model: SequentialModel>(from model: Model) -> [Int]?
  where Model.Operation == Operation, Model.Response == Response {
    var search = LinearizationSearch<Model>(entries)
    return search.order(from: model)
  }

  /// Verifies that the history is linearizable.
  ///
  /// - Parameter model: The state at the beginning.
  /// - Throws: A ``Mismatch`` that draws the history if it is not.
  /// - Precondition: There are 64 entries at most.
  @inlinable
  package func verifyLinearizable<Model: SequentialModel>(from model: Model) throws(Mismatch)
  where Model.Operation == Operation, Model.Response == Response {
    guard linearization(from: model) == nil else { return }
    throw Mismatch("No order of these operations explains their answers:\n\(self)\n")
  }
}
