extension Array {
  /// Creates an array whose elements a closure writes in place.
  ///
  /// The standard library's own initializer, given no capacity, writes to the one array that all
  /// empty ones share: threads would race for it.
  ///
  /// - Parameters:
  ///   - capacity: The number of elements to reserve room for; negative as 0.
  ///   - initialize: Writes the elements to the memory that it receives, from its start on, and
  ///     sets their number; also if it throws. It is not called if there is no room.
  @inlinable
  @inline(__always)
  package init(
    filling capacity: Int,
    _ initialize: (_ memory: inout UnsafeMutableBufferPointer<Element>, _ count: inout Int) throws
      -> Void
  ) rethrows {
    self =
      capacity <= 0
      ? [] : try Array(unsafeUninitializedCapacity: capacity, initializingWith: initialize)
  }
}
