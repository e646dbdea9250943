/// The values that a query computes.
extension RecordQuery {
  /// The number of matching records.
  ///
  /// ```swift
  /// let number = Live(cache, rock.count, startingWith: 0)
  /// ```
  ///
  /// Finding it loads nothing into memory except records that pending writes have touched. Its cost
  /// is that of ``BackingStore/count(_:)``; without a store, O(*n*) in the records of the type. If
  /// an index finds exactly the records that the filter selects, as it does for comparisons with
  /// one value, or two for a range, it counts a million of them in microseconds.
  public var count: some Request<Int, Int, ValueDiff<Int>> {
    counted("the number") { $0 }
  }

  /// Whether any record matches; its cost is that of ``count`` up to one.
  public var exists: some Request<Bool, Bool, ValueDiff<Bool>> {
    forOne.unordered.counted("whether there is a record") { $0 > 0 }
  }

  /// Refs to the matching records, in the order of the query.
  ///
  /// A store may answer without reading the records; then the result includes records that cannot
  /// be read.
  public var refs: some Request<[Ref<R>], [Ref<R>], ValueDiff<[Ref<R>]>> {
    QueryValue(query: self, title: "the refs") { cache, query, store in
      let refs = try await cache.compute(query, in: store) {
        try await store.refs(for: query)
      } from: {
        $0.map { $0.ref }
      }
      try query.check(refs)
      return refs
    } queryMemory: { cache, query, number in
      try cache.values(of: \R.id, query, number).map { Ref($0) }
    }
  }

  /// The distinct values of a property; if it is optional, `nil` is also a value.
  ///
  /// Two values are the same if Swift calls them equal.
  ///
  /// - Parameter property: The property.
  /// - Returns: The request; its cost is that of ``BackingStore/count(_:groupedBy:)``.
  public func values<Value: Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable
  ) -> some Request<Set<Value>, Set<Value>, ValueDiff<Set<Value>>> {
    value("the values", countedBy: property) { Set($0.keys) }
  }

  /// The sum of a property; values that are `nil` do not count.
  ///
  /// Integers are added exactly. Floating-point numbers are added in the order of their size, so
  /// that the sum is the same from every store.
  ///
  /// ```swift
  /// let seconds = try await cache.find(RecordQuery<Track>().sum(of: \.seconds))
  /// ```
  ///
  /// - Parameter property: The property.
  /// - Returns: The request; it throws `KinshipError.overflow` if the type does not hold the sum.
  public func sum<Value: Summable>(
    of property: any KeyPath<R, Value> & Sendable
  ) -> some Request<Value.Sum, Value.Sum, ValueDiff<Value.Sum>> {
    value("the sum", countedBy: property) {
      try R.inRange(Value.sum(of: $0), of: property)
    }
  }

  /// The average of a property; `nil` if no record has a value.
  ///
  /// - Parameter property: The property; values that are `nil` do not count.
  /// - Returns: The request; the average of integers is the nearest `Double`, also if their type
  ///   does not hold the sum. It throws `KinshipError.overflow` if the sum takes more than 128
  ///   bits.
  public func average<Value: Summable>(
    of property: any KeyPath<R, Value> & Sendable
  ) -> some Request<Value.Average?, Value.Average?, ValueDiff<Value.Average?>> {
    value("the average", countedBy: property) {
      try R.inRange(Value.average(of: $0), of: property)
    }
  }

  /// The smallest value of a property; `nil` if no record matches.
  ///
  /// - Parameter property: The property.
  /// - Returns: The request. An index on the property answers it at once; otherwise a store sorts
  ///   by the property, or counts its values.
  public func minimum<Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable
  ) -> some Request<Value?, Value?, ValueDiff<Value?>> {
    extreme(of: property, by: SortTerm(property, .ascending)) { $0 }
  }

  /// The smallest value of an optional property; `nil` if no record has one.
  ///
  /// - Parameter property: The property.
  /// - Returns: The request.
  public func minimum<Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable
  ) -> some Request<Value?, Value?, ValueDiff<Value?>> {
    extreme(of: property, by: SortTerm(property, .ascending, nil), having: .having(property)) { $0 }
  }

  /// The largest value of a property; `nil` if no record matches.
  ///
  /// - Parameter property: The property.
  /// - Returns: The request.
  public func maximum<Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable
  ) -> some Request<Value?, Value?, ValueDiff<Value?>> {
    extreme(of: property, by: SortTerm(property, .descending)) { $0 }
  }

  /// The largest value of an optional property; `nil` if no record has one.
  ///
  /// - Parameter property: The property.
  /// - Returns: The request.
  public func maximum<Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Value?> & Sendable
  ) -> some Request<Value?, Value?, ValueDiff<Value?>> {
    // Records without a value come last.
    extreme(of: property, by: SortTerm(property, .descending, nil)) { $0 }
  }

  /// The matching records in groups by a property; if it is optional, `nil` is also a group.
  ///
  /// ```swift
  /// let tracksByGenre = try await cache.find(RecordQuery<Track>().grouped(by: \.genre).count)
  /// ```
  ///
  /// - Parameter property: The property.
  /// - Returns: The groups, which can be counted and summed up.
  public func grouped<Key: Hashable & Sendable>(
    by property: any KeyPath<R, Key> & Sendable
  ) -> QueryGroups<R, Key> {
    QueryGroups(query: self, property: property)
  }

  fileprivate func value<Counted: Hashable & Sendable, Value: Equatable & Sendable>(
    _ title: String, countedBy property: any KeyPath<R, Counted> & Sendable,
    _ compute: @escaping @Sendable ([Counted: Int]) throws -> Value
  ) -> QueryValue<R, Value> {
    QueryValue(query: self, title: title) { cache, query, store in
      let query = query.orderedAsNeeded
      let counts = try await cache.compute(query, in: store) {
        try await store.count(for: query, groupedBy: property)
      } from: {
        ValueCounts(of: property, in: $0).dictionary
      }
      return try compute(counts)
    } queryMemory: { cache, query, number in
      let values = try cache.values(of: property, query.orderedAsNeeded, number)
      return try compute(ValueCounts(values).dictionary)
    }
  }

  private func counted<Value: Equatable & Sendable>(
    _ title: String, _ value: @escaping @Sendable (Int) -> Value
  ) -> QueryValue<R, Value> {
    QueryValue(query: self, title: title) { cache, query, store in
      value(try await cache.count(query, in: store))
    } queryMemory: { cache, query, number in
      value(try cache.recallCount(query, number))
    }
  }
}

/// The groups of a query's records by a property.
public struct QueryGroups<R: GraphRecord, Key: Hashable & Sendable>: Sendable {
  fileprivate let query: RecordQuery<R>
  fileprivate let property: any KeyPath<R, Key> & Sendable

  /// The number of records in each group.
  ///
  /// It counts the records that remain after offset and limit. Two values are the same if Swift
  /// calls them equal. All values that are not equal to themselves, such as NaN, also count as one.
  public var count: some Request<[Key: Int], [Key: Int], ValueDiff<[Key: Int]>> {
    query.value("the number in each group", countedBy: property) { $0 }
  }

  /// The sum of a property in each group.
  ///
  /// - Parameter value: The property; values that are `nil` do not count.
  /// - Returns: The request; it reads the records of the query, without loading them into memory.
  public func sum<Value: Summable>(
    of value: any KeyPath<R, Value> & Sendable
  ) -> some Request<[Key: Value.Sum], [Key: Value.Sum], ValueDiff<[Key: Value.Sum]>> {
    each("the sum", value) {
      try R.inRange(Value.sum(of: $0), of: value)
    }
  }

  /// The average of a property in each group that has a value.
  ///
  /// - Parameter value: The property; values that are `nil` do not count.
  /// - Returns: The request; it reads the records of the query.
  public func average<Value: Summable>(
    of value: any KeyPath<R, Value> & Sendable
  ) -> some Request<[Key: Value.Average], [Key: Value.Average], ValueDiff<[Key: Value.Average]>> {
    each("the average", value) {
      try R.inRange(Value.average(of: $0), of: value)
    }
  }

  /// The smallest value of a property in each group.
  ///
  /// - Parameter value: The property.
  /// - Returns: The request; it reads the records of the query.
  public func minimum<Value: Comparable & Hashable & Sendable>(
    of value: any KeyPath<R, Value> & Sendable
  ) -> some Request<[Key: Value], [Key: Value], ValueDiff<[Key: Value]>> {
    each("the minimum", value) { $0.keys.extreme(true) }
  }

  /// The largest value of a property in each group.
  ///
  /// - Parameter value: The property.
  /// - Returns: The request; it reads the records of the query.
  public func maximum<Value: Comparable & Hashable & Sendable>(
    of value: any KeyPath<R, Value> & Sendable
  ) -> some Request<[Key: Value], [Key: Value], ValueDiff<[Key: Value]>> {
    each("the maximum", value) { $0.keys.extreme(false) }
  }

  private func each<Value: Hashable & Sendable, Answer: Equatable & Sendable>(
    _ title: String, _ value: any KeyPath<R, Value> & Sendable,
    _ compute: @escaping @Sendable ([Value: Int]) throws -> Answer?
  ) -> QueryValue<R, [Key: Answer]> {
    let (key, value) = (PropertyReader(property), PropertyReader(value))
    let answers: @Sendable ([R]) throws -> [Key: Answer] = { records in
      try Dictionary(grouping: records) { key($0) }.compactMapValues { group in
        try compute(ValueCounts(group.map { value($0) }).dictionary)
      }
    }
    return QueryValue(query: query, title: "\(title) in each group") { cache, query, _ in
      try answers(try await cache.records(for: query, .passing))
    } queryMemory: { cache, query, number in
      try answers(try cache.queryMemory(query, number))
    }
  }
}

extension GraphRecord {
  /// Throws if a sum of a property is too large.
  fileprivate static func inRange<Total>(
    _ total: Total?, of property: any PartialKeyPath<Self> & Sendable
  ) throws(KinshipError) -> Total {
    guard let total else {
      throw .overflow(type: recordName, property: PropertyName.of(property))
    }
    return total
  }
}

/// A property's type that can be added up: a number, or an optional number.
public protocol Summable: Hashable, Sendable {
  /// The type of a sum.
  associatedtype Sum: Hashable & Sendable
  /// The type of an average.
  associatedtype Average: Hashable & Sendable

  /// Adds up values.
  ///
  /// - Parameter counts: The number of times that each value occurs.
  /// - Returns: The sum, or `nil` if the type does not hold it.
  static func sum(of counts: [Self: Int]) -> Sum?

  /// Divides the sum of values by their number.
  ///
  /// - Parameter counts: The number of times that each value occurs.
  /// - Returns: The average, which is `nil` if there is no value; `nil` if the sum is too large.
  static func average(of counts: [Self: Int]) -> Average??
}

extension Summable where Self: FixedWidthInteger {
  /// Adds up integers, exactly.
  ///
  /// - Parameter counts: The number of times that each integer occurs.
  /// - Returns: The sum, or `nil` if the type does not hold it.
  public static func sum(of counts: [Self: Int]) -> Self? {
    IntegerSum(counts)?.value(as: Self.self)
  }

  /// Divides the exact sum of integers by their number.
  ///
  /// - Parameter counts: The number of times that each integer occurs.
  /// - Returns: The nearest number; `nil` if the sum takes more than 128 bits.
  public static func average(of counts: [Self: Int]) -> Double?? {
    IntegerSum(counts).map(\.average)
  }
}

extension Summable where Self: BinaryFloatingPoint {
  /// Adds up numbers, the smallest first.
  ///
  /// - Parameter counts: The number of times that each number occurs.
  /// - Returns: The sum.
  public static func sum(of counts: [Self: Int]) -> Self? {
    counts.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.key * Self($1.value) }
  }

  /// Divides the sum of numbers by their number.
  ///
  /// - Parameter counts: The number of times that each number occurs.
  /// - Returns: The average, or `nil` if there is no number.
  public static func average(of counts: [Self: Int]) -> Self?? {
    .some(
      counts.isEmpty ? nil : sum(of: counts).map { $0 / counts.values.reduce(0) { $0 + Self($1) } })
  }
}

extension Int: Summable {}
extension Int8: Summable {}
extension Int16: Summable {}
extension Int32: Summable {}
extension Int64: Summable {}
extension UInt: Summable {}
extension UInt8: Summable {}
extension UInt16: Summable {}
extension UInt32: Summable {}
extension UInt64: Summable {}
extension Float: Summable {}
extension Double: Summable {}

extension Optional: Summable where Wrapped: Summable {
  /// Adds up the values that are not `nil`.
  ///
  /// - Parameter counts: The number of times that each value occurs.
  /// - Returns: The sum, or `nil` if the type does not hold it.
  public static func sum(of counts: [Wrapped?: Int]) -> Wrapped.Sum? {
    Wrapped.sum(of: present(counts))
  }

  /// Divides the sum of the values that are not `nil` by their number.
  ///
  /// - Parameter counts: The number of times that each value occurs.
  /// - Returns: The average, which is `nil` if there is no value; `nil` if the sum is too large.
  public static func average(of counts: [Wrapped?: Int]) -> Wrapped.Average?? {
    Wrapped.average(of: present(counts))
  }

  private static func present(_ counts: [Wrapped?: Int]) -> [Wrapped: Int] {
    var present: [Wrapped: Int] = [:]
    for (value, count) in counts { if let value { present[value] = count } }
    return present
  }
}

extension RecordQuery {
  /// Returns a request for the first value of a property in the order of a sort term.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - term: The sort term.
  ///   - having: Chooses the records that have a value.
  ///   - value: Converts a stored value, if it is one.
  /// - Returns: The request.
  fileprivate func extreme<Stored: Hashable & Sendable, Value: Comparable & Hashable & Sendable>(
    of property: any KeyPath<R, Stored> & Sendable, by term: SortTerm<R>,
    having: RecordFilter<R> = .all, _ value: @escaping @Sendable (Stored) -> Value?
  ) -> QueryValue<R, Value?> {
    let isAscending = term.direction == .ascending
    let read = PropertyReader(property)
    @Sendable func sorted(_ query: RecordQuery<R>) -> RecordQuery<R> {
      RecordQuery(query.filter && having).sorted(firstBy: term).forOne
    }
    return QueryValue(
      query: self, title: isAscending ? "the minimum" : "the maximum", term: term
    ) { cache, query, store in
      let (query, first) = (query.orderedAsNeeded, sorted(query))
      let isStored = first.order.first?.isStoredOrder == true
      return try await cache.compute(query, in: store) {
        if isStored, query.isUnlimited, let records = try await store.inOrder(first) {
          return records.first.flatMap { value(read($0)) }
        }
        if Value.self == String.self {
          // Counting would merge texts that are equal and have different bytes.
          let records = try await store.records(for: query).get()
          return records.compactMap { value(read($0)) }.extreme(isAscending)
        }
        let counts = try await store.count(for: query, groupedBy: property)
        return counts.keys.compactMap(value).extreme(isAscending)
      } from: { records in
        records.compactMap { value(read($0)) }.extreme(isAscending)
      }
    } queryMemory: { cache, query, number in
      if query.isUnlimited, let found = try cache.queryIndex(sorted(query), number) {
        return found.first.flatMap { value(read($0)) }
      }
      return try cache.values(of: property, query.orderedAsNeeded, number)
        .compactMap(value).extreme(isAscending)
    }
  }
}

extension Collection where Element: Comparable {
  /// Returns the first or the last value in the sort order of queries.
  fileprivate func extreme(_ isAscending: Bool) -> Element? {
    func precedes(_ left: Element, _ right: Element) -> Bool {
      Precedence(of: left, to: right) == .before
    }
    return isAscending ? self.min(by: precedes) : self.max(by: precedes)
  }
}

extension BackingStore {
  /// Returns the records that match a query; `nil` if the store does not support its order.
  fileprivate func inOrder<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R]? {
    do {
      let records = try await records(for: query).get()
      try query.check(records)
      return records
    } catch KinshipError.misuse(.unsupported) {
      return nil
    }
  }
}
