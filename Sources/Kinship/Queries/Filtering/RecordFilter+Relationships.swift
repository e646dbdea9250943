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
  ///   - property: The property.
  ///   - query: The query.
  /// - Returns: The filter.
  public static func `where`<Target: GraphRecord>(
    _ property: any KeyPath<R, Ref<Target>> & Sendable, in query: RecordQuery<Target>
  ) -> RecordFilter {
    leading(property, to: query) { .isOne(property, of: $0) }
  }

  /// Returns the condition that an optional property refers to a record that a query finds.
  ///
  /// - Parameters:
  ///   - property: The property; `nil` does not fulfil the condition.
  ///   - query: The query, as in the condition on a ref.
  /// - Returns: The filter.
  public static func `where`<Target: GraphRecord>(
    _ property: any KeyPath<R, Ref<Target>?> & Sendable, in query: RecordQuery<Target>
  ) -> RecordFilter {
    leading(property, to: query) { .isOne(property, of: $0) }
  }

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
  ) -> RecordFilter {
    leading(property, to: query) { .hasOne(property, of: $0) }
  }

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
    let empty: RecordFilter
    if let offset = MemoryLayout<R>.offset(of: property) {
      let test = PageTest(at: offset, [Ref<Target>].self) { $0.pointee.isEmpty }
      empty = RecordFilter(FilterTest(scan: test, .isEmpty(.init(property))))
    } else {
      empty = RecordFilter { $0[keyPath: property].isEmpty }
    }
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
    RecordFilter(ReferringCondition<R, Source, Value>(property: property, query: query))
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

  private static func leading<Target: GraphRecord>(
    _ property: any PartialKeyPath<R> & Sendable, to query: RecordQuery<Target>,
    _ condition: @escaping @Sendable (Set<Ref<Target>>) -> RecordFilter
  ) -> RecordFilter {
    RecordFilter(
      LeadingCondition<R, Target>(query: query, source: .init(property)) {
        condition(Set($0.lazy.map { Ref($0) }))
      })
  }
}

/// The condition that refs of a record lead to one that a query finds.
private struct LeadingCondition<R: GraphRecord, Target: GraphRecord>: RelatedCondition {
  let query: RecordQuery<Target>
  /// The property that holds the refs.
  let source: FilterCondition.Property
  let condition: @Sendable (Set<Target.ID>) -> RecordFilter<R>

  var property: any KeyPath<Target, Target.ID> & Sendable { \.id }
  var description: FilterCondition.Related {
    .init(
      property: source, isReferredTo: false, recordType: Target.self,
      condition: query.filter.condition, text: "\(source.name) in \(query.text)")
  }
  var unresolved: KinshipError {
    .misuse(.unresolvedCondition(type: R.recordName, property: source.name))
  }

  func filter(_ found: Set<Target.ID>) -> RecordFilter<R> { condition(found) }
}

/// The condition that one of the records that a query finds refers to a record.
private struct ReferringCondition<
  R: GraphRecord, Source: GraphRecord, Value: RelationshipValue & Hashable
>: RelatedCondition where Value.Target == R {
  let property: any KeyPath<Source, Value> & Sendable
  let query: RecordQuery<Source>

  private var name: String { PropertyName.of(property) }
  var description: FilterCondition.Related {
    .init(
      property: .init(property), isReferredTo: true, recordType: Source.self,
      condition: query.filter.condition, text: "referred to by \(name) in \(query.text)")
  }
  var unresolved: KinshipError {
    .misuse(.unresolvedCondition(type: Source.recordName, property: name))
  }

  func filter(_ found: Set<Value>) -> RecordFilter<R> {
    var ids: Set<R.ID> = []
    for value in found { value.forEachRef { ids.insert($0.id) } }
    return .isOne(of: ids)
  }
}

extension RecordQuery {
  /// A text that differs for other queries, and has the same meaning in any process.
  fileprivate var text: String {
    "\(fingerprint) from \(offset) up to \(limit.map(String.init) ?? "all")"
  }
}
