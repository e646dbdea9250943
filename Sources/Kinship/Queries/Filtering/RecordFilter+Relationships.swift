/// Conditions on the records that a property refers to, and on those that refer to a record.
///
/// The cache queries the related records first and the records themselves afterwards: a change that
/// someone else makes in between may be in one answer and not in the other. Pending writes to the
/// related records count too, and ``QuerySource/cachedOnly`` searches these in memory only. Only a
/// cache evaluates such a condition; elsewhere it throws
/// ``KinshipError/Misuse/unresolvedCondition(type:property:)``.
extension RecordFilter {
  /// Returns the condition that a property refers to a record that a query finds.
  ///
  /// ```swift
  /// let theirs = RecordQuery<Album>(#Predicate { $0.artist == beatles })
  /// let british = try await cache.find(RecordQuery<Track>(.where(\.album, in: theirs)))
  /// ```
  ///
  /// The query may have conditions on related records itself, and an order, offset and limit. Only
  /// a cache can evaluate the condition: it queries the refs first. A ref to a record that does not
  /// exist does not fulfil the condition.
  ///
  /// - Parameters:
  ///   - property: The property, a ref or an optional ref; `nil` does not fulfil the condition.
  ///   - query: The query.
  /// - Returns: The filter.
  public static func `where`<Value: ToOneValue>(
    _ property: any KeyPath<R, Value> & Sendable, in query: RecordQuery<Value.Target>
  ) -> RecordFilter { leading(property, to: query) }

  /// Returns the condition that at least one ref of a list refers to a record that a query finds.
  ///
  /// ```swift
  /// let hits = try await cache.find(RecordQuery<Album>(.where(\.tracks, contain: long)))
  /// ```
  ///
  /// To require it of all refs, negate both conditions:
  /// `!.where(\.tracks, contain: RecordQuery(!isLong))`.
  ///
  /// - Parameters:
  ///   - property: The list.
  ///   - query: The query, as in the condition on a ref.
  /// - Returns: The filter.
  public static func `where`<Target: GraphRecord>(
    _ property: any KeyPath<R, [Ref<Target>]> & Sendable, contain query: RecordQuery<Target>
  ) -> RecordFilter { leading(property, to: query) }

  /// Returns the condition that a list of refs is empty, or that it is not.
  ///
  /// ```swift
  /// let lonely = try await cache.find(RecordQuery<Album>(.where(\.tracks, isEmpty: true)))
  /// ```
  ///
  /// A ref counts even if its record does not exist.
  ///
  /// - Parameters:
  ///   - property: The list.
  ///   - isEmpty: Whether it must be empty.
  /// - Returns: The filter.
  public static func `where`<Target: GraphRecord>(
    _ property: any KeyPath<R, [Ref<Target>]> & Sendable, isEmpty: Bool
  ) -> RecordFilter {
    let empty = passing(property, .isEmpty(.init(property))) { $0.pointee.isEmpty }
    return isEmpty ? empty : !empty
  }

  /// Returns the condition that at least one of the records that a query finds refers to a record.
  ///
  /// ```swift
  /// let victorians = RecordQuery<Person>(.where(\.name, hasPrefix: "V"))
  /// let parents = try await cache.find(
  ///   RecordQuery<Person>(.where(referredToBy: \Person.father, in: victorians)))
  /// ```
  ///
  /// Only a cache can evaluate the condition: it first queries the values of the property in the
  /// query's records.
  ///
  /// - Parameters:
  ///   - property: The property by which they refer to it: a ref, an optional ref or a list of
  ///     refs.
  ///   - query: The query, as in the condition on a ref.
  /// - Returns: The filter.
  public static func `where`<Source: GraphRecord, Value: RelationshipValue & Hashable>(
    referredToBy property: any KeyPath<Source, Value> & Sendable, in query: RecordQuery<Source>
  ) -> RecordFilter where Value.Target == R {
    RecordFilter(
      QueryCondition(
        query: query, property: property,
        description: .init(.init(property), isReferredTo: true, query)
      ) { found in
        var ids: Set<R.ID> = []
        for value in found { value.forEachRef { ids.insert($0.id) } }
        return .isOne(of: ids)
      })
  }

  /// Returns the condition that no record refers to a record by a property, or that at least one
  /// does.
  ///
  /// ```swift
  /// let childless = try await cache.find(
  ///   RecordQuery<Person>(.where(referredToBy: \Person.father, isEmpty: true)))
  /// ```
  ///
  /// Only a cache can evaluate the condition: it first queries the values of the property.
  ///
  /// - Parameters:
  ///   - property: The property: a ref, an optional ref or a list of refs.
  ///   - isEmpty: Whether no record must refer to it.
  /// - Returns: The filter.
  public static func `where`<Source: GraphRecord, Value: RelationshipValue & Hashable>(
    referredToBy property: any KeyPath<Source, Value> & Sendable, isEmpty: Bool
  ) -> RecordFilter where Value.Target == R {
    let referred = RecordFilter.where(referredToBy: property, in: RecordQuery())
    return isEmpty ? !referred : referred
  }

  private static func leading<Value: RelationshipValue>(
    _ property: any KeyPath<R, Value> & Sendable, to query: RecordQuery<Value.Target>
  ) -> RecordFilter {
    RecordFilter(
      QueryCondition(
        query: query, property: \.id,
        description: .init(.init(property), isReferredTo: false, query)
      ) { (ids: Set<Value.Target.ID>) in
        .holding(property, oneOf: Set(ids.lazy.map { Ref($0) }))
      })
  }
}

extension FilterCondition.Related {
  fileprivate init<Asked: GraphRecord>(
    _ property: FilterCondition.Property, isReferredTo: Bool, _ query: RecordQuery<Asked>
  ) {
    self.init(
      property: property, isReferredTo: isReferredTo, recordType: Asked.self,
      condition: query.filter.condition,
      text: "\(isReferredTo ? "referred to by " : "")\(property.name) in \(query.text)")
  }
}

extension RecordQuery {
  /// A text that differs for other queries, and has the same meaning in any process.
  fileprivate var text: String {
    "\(fingerprint) from \(offset) up to \(limit.map(String.init) ?? "all")"
  }
}
