extension Array {
  /// An array whose elements a closure makes where they are to lie.
  ///
  /// The standard library's own initializer, given no capacity, writes to the one array that all
  /// empty ones are: threads would race for it.
  ///
  /// - Parameters:
  ///   - capacity: How many elements there is room for; negative as 0.
  ///   - initialize: Makes the elements in the memory that it is given, from its start on, and says
  ///     how many; also where it throws. It is not called where there is no room.
  @inlinable
  @inline(__always)
  init(
    filling capacity: Int,
    _ initialize: (_ memory: inout UnsafeMutableBufferPointer<Element>, _ count: inout Int) throws
      -> Void
  ) rethrows {
    self =
      capacity <= 0
      ? [] : try Array(unsafeUninitializedCapacity: capacity, initializingWith: initialize)
  }
}
