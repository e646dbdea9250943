extension GraphCache {
  /// Returns the record for a ref of one of several types, loading it if necessary.
  ///
  /// - Parameter choice: The ref, of one of several types.
  /// - Returns: The record.
  /// - Throws: The errors of ``resolve(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: O(1) on average for a record in memory.
  public func resolve<Choice: RefChoice>(_ choice: Choice) async throws -> any GraphRecord {
    let ref = choice.ref
    func record<R: GraphRecord>(_ type: R.Type) async throws -> any GraphRecord {
      guard let typed = ref.as(type) else { throw KinshipError.missing(ref) }
      return try await resolve(typed)
    }
    return try await record(ref.type)
  }
}
