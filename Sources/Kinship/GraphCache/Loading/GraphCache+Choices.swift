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

  /// Returns the record for a ref of one of several types if it has a given type, loading it if
  /// necessary.
  ///
  /// ```swift
  /// let company = try await cache.resolve(owner, as: Company.self)
  /// ```
  ///
  /// - Parameters:
  ///   - choice: The ref, of one of several types.
  ///   - type: The type.
  /// - Returns: The record, or `nil` if the ref is of another type.
  /// - Throws: The errors of ``resolve(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: O(1) on average for a record in memory.
  public func resolve<Choice: RefChoice, R: GraphRecord>(
    _ choice: Choice, as type: R.Type
  ) async throws -> R? {
    guard let ref = choice.as(type) else { return nil }
    return try await resolve(ref)
  }
}
