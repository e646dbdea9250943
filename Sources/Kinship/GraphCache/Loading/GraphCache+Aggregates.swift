/// Aggregates of a property over a query's result.
///
/// They are the same wherever the records are: the store or the cache counts the values, and the
/// cache computes everything else from the counts.
extension GraphCache {
  /// Returns the distinct values of a property in the records that match a query.
  ///
  /// ```swift
  /// let genres = try await cache.distinctValues(of: \Track.genre)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, all records.
  /// - Returns: The values, each once, distinguished as in ``count(_:groupedBy:)``.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``.
  public func distinctValues<R: GraphRecord, Value: Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Set<Value> {
    Set(try await count(query, groupedBy: property).keys)
  }

  /// Returns the distinct values of an optional property in the records that match a query, without
  /// `nil`.
  ///
  /// - Parameters:
  ///   - property: The optional property.
  ///   - query: The query; by default, all records.
  /// - Returns: The values, each once, distinguished as in ``count(_:groupedBy:)``.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``.
  public func distinctValues<R: GraphRecord, Value: Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Set<Value> {
    Set(try await counts(of: property, in: query).keys)
  }

  /// Returns the sum of an integer property over the records that match a query.
  ///
  /// ```swift
  /// let seconds = try await cache.sum(of: \.seconds, in: .long(rock))
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, all records.
  /// - Returns: The sum; 0 if there are no records.
  /// - Throws: `KinshipError.overflow` if the property's type cannot hold the sum, and the errors
  ///   of ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``.
  public func sum<R: GraphRecord, Value: FixedWidthInteger & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value {
    try integerSum(try await count(query, groupedBy: property), property)
  }

  /// Returns the sum of an optional integer property over the records that match a query, ignoring
  /// `nil`.
  ///
  /// - Parameters:
  ///   - property: The optional property.
  ///   - query: The query; by default, all records.
  /// - Returns: The sum; 0 if there are no values.
  /// - Throws: `KinshipError.overflow` if the property's type cannot hold the sum, and the errors
  ///   of ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``.
  public func sum<R: GraphRecord, Value: FixedWidthInteger & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value {
    try integerSum(try await counts(of: property, in: query), property)
  }

  /// Returns the sum of a floating-point property over the records that match a query.
  ///
  /// It adds the distinct values, each multiplied by its count, from the smallest value up. So
  /// rounding does not depend on where the records are.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, all records.
  /// - Returns: The sum; 0 if there are no records.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``, plus O(*m* log *m*) in the different values.
  public func sum<R: GraphRecord, Value: BinaryFloatingPoint & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value {
    Self.sum(try await count(query, groupedBy: property))
  }

  /// Returns the sum of an optional floating-point property over the records that match a query,
  /// ignoring `nil`.
  ///
  /// - Parameters:
  ///   - property: The optional property.
  ///   - query: The query; by default, all records.
  /// - Returns: The sum; 0 if there are no values.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``, plus O(*m* log *m*) in the different values.
  public func sum<R: GraphRecord, Value: BinaryFloatingPoint & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value {
    Self.sum(try await counts(of: property, in: query))
  }

  /// Returns the average of an integer property over the records that match a query.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, all records.
  /// - Returns: The `Double` nearest to the average, however large the sum; `nil` if there are no
  ///   records.
  /// - Throws: `KinshipError.overflow` for a sum beyond 128 bits, and the errors of
  ///   ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``.
  public func average<R: GraphRecord, Value: FixedWidthInteger & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Double? {
    try exactSum(try await count(query, groupedBy: property), property).average
  }

  /// Returns the average of an optional integer property over the records that match a query,
  /// ignoring `nil`.
  ///
  /// - Parameters:
  ///   - property: The optional property.
  ///   - query: The query; by default, all records.
  /// - Returns: The `Double` nearest to the average, however large the sum; `nil` if there are no
  ///   values.
  /// - Throws: `KinshipError.overflow` for a sum beyond 128 bits, and the errors of
  ///   ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``.
  public func average<R: GraphRecord, Value: FixedWidthInteger & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Double? {
    try exactSum(try await counts(of: property, in: query), property).average
  }

  /// Returns the average of a floating-point property over the records that match a query.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, all records.
  /// - Returns: The sum divided by the number of records; `nil` if there are no records.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``, plus O(*m* log *m*) in the different values.
  public func average<R: GraphRecord, Value: BinaryFloatingPoint & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    Self.average(try await count(query, groupedBy: property))
  }

  /// Returns the average of an optional floating-point property over the records that match a
  /// query, ignoring `nil`.
  ///
  /// - Parameters:
  ///   - property: The optional property.
  ///   - query: The query; by default, all records.
  /// - Returns: The sum divided by the number of values; `nil` if there are no values.
  /// - Throws: The errors of ``count(_:groupedBy:)``.
  /// - Complexity: Same as ``count(_:groupedBy:)``, plus O(*m* log *m*) in the different values.
  public func average<R: GraphRecord, Value: BinaryFloatingPoint & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    Self.average(try await counts(of: property, in: query))
  }

  /// Returns the number of records for each value, without records that have none.
  private func counts<R: GraphRecord, Value: Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R>
  ) async throws -> [Value: Int] {
    var counts: [Value: Int] = [:]
    for (value, count) in try await count(query, groupedBy: property) {
      if let value { counts[value] = count }
    }
    return counts
  }

  private func exactSum<R: GraphRecord, Value: FixedWidthInteger>(
    _ counts: [Value: Int], _ property: any PartialKeyPath<R> & Sendable
  ) throws(KinshipError) -> IntegerSum {
    guard let sum = IntegerSum(counts) else {
      throw .overflow(type: R.recordName, property: PropertyName.of(property))
    }
    return sum
  }

  private func integerSum<R: GraphRecord, Value: FixedWidthInteger>(
    _ counts: [Value: Int], _ property: any PartialKeyPath<R> & Sendable
  ) throws(KinshipError) -> Value {
    guard let sum = try exactSum(counts, property).value(as: Value.self) else {
      throw .overflow(type: R.recordName, property: PropertyName.of(property))
    }
    return sum
  }

  private static func sum<Value: BinaryFloatingPoint>(_ counts: [Value: Int]) -> Value {
    counts.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.key * Value($1.value) }
  }

  private static func average<Value: BinaryFloatingPoint>(_ counts: [Value: Int]) -> Value? {
    counts.isEmpty ? nil : sum(counts) / counts.values.reduce(0) { $0 + Value($1) }
  }
}
