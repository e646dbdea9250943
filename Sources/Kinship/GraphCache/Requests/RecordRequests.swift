/// A ref to one record: what an array must hold so that it is a request.
public protocol RecordRef: RelationshipValue, Hashable {
  /// The ref.
  var ref: Ref<Target> { get }
}

extension Ref: RecordRef {
  /// The ref itself.
  @inlinable public var ref: Ref<R> { self }
}

extension Ref: Request {
  /// Finds the record; `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - options: The options for reading.
  /// - Returns: The record.
  /// - Throws: The errors of ``GraphCache/find(_:fileID:line:)-(Ref<R>,_,_)``.
  @inlinable
  public nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> R? {
    if options.source == .cachedOnly { return await cache[self] }
    guard let freshness = options.freshness else {
      return try await cache.find(self, from: options.caller)
    }
    if let record = cache.readFresh(self, options) { return record }
    return try await cache.findDated(self, freshness, options.caller)?.value
  }

  /// Returns the record in memory, or whether it is known not to exist.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The record.
  public func peek(in cache: GraphCache) -> Known<R?> {
    if let record: R = cache.peek(self) { return .complete(record) }
    return cache.isKnownMissing(self) ? .complete(nil) : .unknown
  }

  /// Returns the changes of the record; `nil` while it does not exist.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The changes.
  @inlinable
  public func changes(in cache: GraphCache) -> Changes<R?, ListDiff<R>> {
    cache.changes(of: id, ListObservation(of: R.self))
  }
}

extension Array: Request where Element: RecordRef {
  /// Finds the records: one element for each ref, in order, `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - options: The options for reading.
  /// - Returns: The records.
  /// - Throws: The errors of ``GraphCache/find(_:fileID:line:)-([Ref<R>],_,_)``.
  public nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> [Element.Target?] {
    let refs = map { $0.ref }
    if options.source == .cachedOnly { return await cache.records(for: refs) }
    let (found, failures) = try await cache.readable(refs, isPartialAllowed: options.isPartial) {
      refs in
      guard let freshness = options.freshness else {
        return try await cache.find(refs, from: options.caller)
      }
      return try await cache.findDated(refs, freshness, options.caller).map { $0?.value }
    }
    options.report(failures.map { $0.error })
    return found
  }

  /// Returns those of the records that are in memory, in order.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The records; complete if they show one version and none of the others may exist.
  public func peek(in cache: GraphCache) -> Known<[Element.Target]> {
    cache.knownAtOneVersion {
      let known = map { $0.ref.peek(in: cache) }
      let records = known.compactMap { $0.value ?? nil }
      return known.allSatisfy { $0.isComplete } ? .complete(records) : .partial(records)
    }
  }

  /// Returns the changes of those of the records that exist.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The changes.
  @inlinable
  public func changes(
    in cache: GraphCache
  ) -> Changes<[Element.Target], ListDiff<Element.Target>> {
    cache.changes(of: map { $0.ref.id }, ListObservation(of: Element.Target.self))
  }
}

/// The records that a relationship of a record leads to, or that refer to it by an inverse.
struct RelatedRecords<Source: GraphRecord, Target: GraphRecord>: Request {
  private let ref: Ref<Source>
  private let direction: Direction

  private enum Direction: Sendable {
    case forward(@Sendable (Source) -> [Ref<Target>])
    case backward(Inverse<Source, Target>)
  }

  init(of ref: Ref<Source>, _ refs: @escaping @Sendable (Source) -> [Ref<Target>]) {
    (self.ref, direction) = (ref, .forward(refs))
  }

  init(of ref: Ref<Source>, by inverse: Inverse<Source, Target>) {
    (self.ref, direction) = (ref, .backward(inverse))
  }

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> [Target] {
    switch direction {
    case .forward(let refs):
      guard let record = try await ref.find(in: cache, options) else { return [] }
      return try await refs(record).find(in: cache, options).compactMap { $0 }
    case .backward(let inverse):
      let found = try await cache.referrers(
        to: ref, inverse, from: options.source, options.caller)
      guard options.freshness != nil else { return found }
      return try await found.map { $0.ref }.find(in: cache, options).compactMap { $0 }
    }
  }

  func peek(in cache: GraphCache) -> Known<[Target]> {
    switch direction {
    case .forward(let refs):
      cache.knownAtOneVersion {
        switch ref.peek(in: cache) {
        case .complete(let record?): refs(record).peek(in: cache)
        case .complete(nil): .complete([])
        default: .unknown
        }
      }
    case .backward(let inverse):
      cache.knownAtOneVersion { cache.knownReferrers(to: ref, inverse) }
    }
  }

  func changes(in cache: GraphCache) -> Changes<[Target], ListDiff<Target>> {
    switch direction {
    case .forward(let refs): Changes(RelationshipSubject(ref.id, refs), in: cache)
    case .backward(let inverse): Changes(ReferrerSubject(ref, inverse), in: cache)
    }
  }
}

extension Ref {
  /// A request for the records that a relationship of this one leads to.
  ///
  /// ```swift
  /// let events = try await cache.find(ref.related(\.events))
  /// ```
  ///
  /// - Parameter path: The property that holds a ref, an optional ref or an array of refs.
  /// - Returns: The request.
  public func related<Value: RelationshipValue>(
    _ path: any KeyPath<R, Value> & Sendable
  ) -> some Request<[Value.Target], [Value.Target], ListDiff<Value.Target>> {
    RelatedRecords(of: self) { record in
      var refs: [Ref<Value.Target>] = []
      record[keyPath: path].forEachRef { refs.append($0) }
      return refs
    }
  }

  /// A request for the records that refer to this one.
  ///
  /// ```swift
  /// let children = try await cache.find(Ref<Person>(43).related(Person.children))
  /// ```
  ///
  /// - Parameter inverse: The relationships by which they refer to it.
  /// - Returns: The request.
  public func related<Source: GraphRecord>(
    _ inverse: Inverse<R, Source>
  ) -> some Request<[Source], [Source], ListDiff<Source>> {
    RelatedRecords(of: self, by: inverse)
  }
}
