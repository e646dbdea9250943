import Foundation
package import Kinship
import KinshipTesting
import KinshipTestSupport

/// Evaluates a filter's public tree by a plain model, and compares it with the filter.
extension PredicateTrial {
  /// Compares the filter's tree with the filter, and with each supported part of it.
  ///
  /// - Returns: Whether all of the tree is readable.
  @discardableResult
  package func runTree() throws -> Bool {
    let filter = RecordFilter(phrase.predicate)
    var random = SplitMix64(seed: seed)
    let salt = random.next()
    let part = filter.part { $0.isUnderstood(by: salt) }
    try verify(part.isAll || part.condition.isUnderstood(by: salt), "part: \(part.condition)")
    let isReadable = filter.condition.isReadable
    for sample in (0..<max(8, count)).map({ Sample(id: $0, &random) }) {
      guard let isIncluded = try? filter.matches(sample) else { continue }
      if isReadable {
        try verifyEqual(
          filter.condition.holds(for: sample), isIncluded, "\(filter.condition) of \(sample)")
      }
      if isIncluded {
        try verifyEqual(try part.matches(sample), true, "\(part.condition) of \(sample)")
      }
    }
    return isReadable
  }
}

extension FilterCondition {
  /// Whether a store that supports a random half of all conditions supports this one.
  package func isUnderstood(by salt: UInt64) -> Bool {
    switch self {
    case .and(let left, let right), .or(let left, let right):
      left.isUnderstood(by: salt) && right.isUnderstood(by: salt)
    case .not(.and), .not(.or), .not(.not): false
    case .not(let condition): condition.isUnderstood(by: salt &+ 1)
    default:
      isReadable
        && "\(self)".utf8.reduce(salt) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } >> 32 & 1 == 0
    }
  }

  /// Returns whether the condition holds for a sample, by its public parts alone.
  fileprivate func holds(for sample: Sample) -> Bool {
    func value(of property: Property) -> Any? {
      let child = Mirror(reflecting: sample).children.first { $0.label == property.name }
      guard let value = child?.value else { return nil }
      let mirror = Mirror(reflecting: value)
      return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }
    func equal(_ left: Any, _ right: Any) -> Bool {
      func open<Value: Equatable>(_ left: Value) -> Bool {
        (right as? Value).map { left == $0 } ?? false
      }
      return (left as? any Equatable).map { open($0) } ?? false
    }
    switch self {
    case .constant(let isTrue): return isTrue
    case .compare(let property, .equal, let other):
      return value(of: property).map { equal($0, other) } ?? false
    case .compare(let property, let relation, let other):
      func open<Value: Comparable>(_ stored: Value) -> Bool {
        guard let other = other as? Value else { return false }
        return switch relation {
        case .equal: stored == other
        case .less: stored < other
        case .lessOrEqual: stored <= other
        case .greater: stored > other
        case .greaterOrEqual: stored >= other
        }
      }
      return (value(of: property) as? any Comparable).map { open($0) } ?? false
    case .isNil(let property): return value(of: property) == nil
    case .isOne(let property, let values):
      return value(of: property).map { value in values.contains { equal(value, $0) } } ?? false
    case .hasOne(let property, let values):
      let list = (value(of: property) as? [Any]) ?? []
      return list.contains { value in values.contains { equal(value, $0) } }
    case .isEmpty(let property): return ((value(of: property) as? [Any]) ?? []).isEmpty
    case .text(let property, let relation, let text, let folding):
      guard let stored = value(of: property) as? String else { return false }
      let (whole, part) = (folding.folded(stored), folding.folded(text))
      return relation == .contains ? whole.contains(part) : whole.starts(with: part)
    case .and(let left, let right): return left.holds(for: sample) && right.holds(for: sample)
    case .or(let left, let right): return left.holds(for: sample) || right.holds(for: sample)
    case .not(let condition): return !condition.holds(for: sample)
    case .related, .opaque: return false
    }
  }
}

/// A store that supports a random part of each query, and no more.
package struct PartialStore: ForwardingStore {
  package let base: any BackingStore
  private let salt: UInt64

  package init(_ base: any BackingStore, salt: UInt64) { (self.base, self.salt) = (base, salt) }

  package func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
    query.support(
      filters: { $0.isUnderstood(by: salt) }, sorts: { _ in salt & 7 != 0 },
      starts: salt & 8 == 0, skips: salt & 16 == 0)
  }

  private func check<R: GraphRecord>(_ query: RecordQuery<R>) throws {
    guard case .complete = support(for: query) else {
      throw Mismatch("the store was sent a query that it does not support")
    }
  }

  package func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try check(query)
    return try await base.fetch(query)
  }

  package func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try check(query)
    return try await base.count(query)
  }

  package func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try check(query)
    return try await base.refs(query)
  }

  package func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    try check(query)
    return try await base.count(query, groupedBy: property)
  }
}

extension PredicateTrial {
  /// Compares the answers of a cache over a store that supports a random part of each query with
  /// the answer of all records.
  package func runParts() async throws {
    var random = SplitMix64(seed: seed)
    let salt = random.next()
    let samples = (0..<count).map { Sample(id: $0, &random).storable }
    let filter = RecordFilter(phrase.predicate)
    guard (try? filter.matching(in: samples)) != nil else { return }
    let order = SampleOrder(using: &random)
    let cache = try GraphCache(
      for: Sample.self, Sample.Owner.self, store: PartialStore(MemoryStore(samples), salt: salt),
      capacity: 20)
    for query in [
      RecordQuery(filter).sorted(by: \.id), order.sorting(RecordQuery(filter)).limited(to: 5),
      order.sorting(RecordQuery(filter)).skipping(3).limited(to: 40),
      RecordQuery(filter).sorted(by: \.id, .descending)
        .filtered(by: RecordFilter { $0.id % 3 != 0 }).limited(to: 7),
    ] {
      let expected = try query.answer(from: samples).map(\.id)
      try verifyEqual(try await cache.find(query).map(\.id), expected, "the answer")
      try verifyEqual(try await cache.find(query.count), expected.count, "the count")
      let results = try await cache.results(query, windowSize: 4)
      try verifyEqual(results.count, expected.count, "the count of the results")
      for index in [0, 3, 9, expected.count - 1] where expected.indices.contains(index) {
        try verifyEqual(try await results[index]?.id, expected[index], "position \(index)")
      }
      var page = try await cache.page(query, size: 4)
      var found = page.records.map(\.id)
      while page.hasMore, found.count < 16 {
        page = try await cache.page(query, size: 4, after: page.end)
        found += page.records.map(\.id)
      }
      try verifyEqual(found, Array(expected.prefix(found.count)), "the pages")
      try verify(page.hasMore || found.count == expected.count, "the pages are complete")
    }
  }
}
