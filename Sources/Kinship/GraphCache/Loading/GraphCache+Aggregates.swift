/// Figures of a property over the answer to a query.
///
/// They mean one thing wherever they come from: the values are counted, by the store or here, and
/// the rest is computed of the counts here.
extension GraphCache {
  /// The different values that a property has in the records that a query asks for.
  ///
  /// ```swift
  /// let genres = try await cache.distinctValues(of: \Track.genre)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, for all records.
  /// - Returns: The values, each once, as ``count(_:groupedBy:)`` tells them apart.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of ``count(_:groupedBy:)``.
  public func distinctValues<R: GraphRecord, Value: Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Set<Value> {
    Set(try await count(query, groupedBy: property).keys)
  }

  /// The different values that a property has in the records that a query asks for, as far as they
  /// have one.
  ///
  /// - Parameters:
  ///   - property: The property, which may have no value.
  ///   - query: The query; by default, for all records.
  /// - Returns: The values, each once, as ``count(_:groupedBy:)`` tells them apart.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of ``count(_:groupedBy:)``.
  public func distinctValues<R: GraphRecord, Value: Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Set<Value> {
    Set(try await counts(of: property, in: query).keys)
  }

  /// The sum of an integer property of the records that a query asks for.
  ///
  /// ```swift
  /// let seconds = try await cache.sum(of: \.seconds, in: .long(rock))
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, for all records.
  /// - Returns: The sum; 0 of no records.
  /// - Throws: `KinshipError.overflow` if the property's type does not hold it, and what
  ///   ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of ``count(_:groupedBy:)``.
  public func sum<R: GraphRecord, Value: FixedWidthInteger & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value {
    try integerSum(try await count(query, groupedBy: property), property)
  }

  /// The sum of an integer property of the records that a query asks for, as far as they have a
  /// value.
  ///
  /// - Parameters:
  ///   - property: The property, which may have no value.
  ///   - query: The query; by default, for all records.
  /// - Returns: The sum; 0 of no values.
  /// - Throws: `KinshipError.overflow` if the property's type does not hold it, and what
  ///   ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of ``count(_:groupedBy:)``.
  public func sum<R: GraphRecord, Value: FixedWidthInteger & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value {
    try integerSum(try await counts(of: property, in: query), property)
  }

  /// The sum of a property of the records that a query asks for.
  ///
  /// It is the sum of the different values, each times how often it comes up, from the smallest
  /// value on: so it is rounded in the same way wherever the records are.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, for all records.
  /// - Returns: The sum; 0 of no records.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of ``count(_:groupedBy:)``, and O(*m* log *m*) in the different values.
  public func sum<R: GraphRecord, Value: BinaryFloatingPoint & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value {
    Self.sum(try await count(query, groupedBy: property))
  }

  /// The sum of a property of the records that a query asks for, as far as they have a value.
  ///
  /// - Parameters:
  ///   - property: The property, which may have no value.
  ///   - query: The query; by default, for all records.
  /// - Returns: The sum; 0 of no values.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of ``count(_:groupedBy:)``, and O(*m* log *m*) in the different values.
  public func sum<R: GraphRecord, Value: BinaryFloatingPoint & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value {
    Self.sum(try await counts(of: property, in: query))
  }

  /// The average of an integer property of the records that a query asks for.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, for all records.
  /// - Returns: The `Double` nearest to it, whatever the sum; `nil` of no records.
  /// - Throws: `KinshipError.overflow` for a sum beyond 128 bits, and what ``count(_:groupedBy:)``
  ///   throws.
  /// - Complexity: That of ``count(_:groupedBy:)``.
  public func average<R: GraphRecord, Value: FixedWidthInteger & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Double? {
    try exactSum(try await count(query, groupedBy: property), property).average
  }

  /// The average of an integer property of the records that a query asks for, as far as they have
  /// a value.
  ///
  /// - Parameters:
  ///   - property: The property, which may have no value.
  ///   - query: The query; by default, for all records.
  /// - Returns: The `Double` nearest to it, whatever the sum; `nil` of no values.
  /// - Throws: `KinshipError.overflow` for a sum beyond 128 bits, and what ``count(_:groupedBy:)``
  ///   throws.
  /// - Complexity: That of ``count(_:groupedBy:)``.
  public func average<R: GraphRecord, Value: FixedWidthInteger & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Double? {
    try exactSum(try await counts(of: property, in: query), property).average
  }

  /// The average of a property of the records that a query asks for.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - query: The query; by default, for all records.
  /// - Returns: The sum divided by the number of records; `nil` of no records.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of ``count(_:groupedBy:)``, and O(*m* log *m*) in the different values.
  public func average<R: GraphRecord, Value: BinaryFloatingPoint & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    Self.average(try await count(query, groupedBy: property))
  }

  /// The average of a property of the records that a query asks for, as far as they have a value.
  ///
  /// - Parameters:
  ///   - property: The property, which may have no value.
  ///   - query: The query; by default, for all records.
  /// - Returns: The sum divided by the number of values; `nil` of no values.
  /// - Throws: What ``count(_:groupedBy:)`` throws.
  /// - Complexity: That of ``count(_:groupedBy:)``, and O(*m* log *m*) in the different values.
  public func average<R: GraphRecord, Value: BinaryFloatingPoint & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable, in query: RecordQuery<R> = RecordQuery()
  ) async throws -> Value? {
    Self.average(try await counts(of: property, in: query))
  }

  /// How many records have which value, of those that have one.
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
