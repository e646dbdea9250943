#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A condition on records of one type.
///
/// ```swift
/// let long = RecordFilter<Track>(#Predicate { $0.seconds > 300 })
/// let live = RecordFilter<Track> { $0.name.hasSuffix("(live)") }
/// let tracks = try await cache.find(RecordQuery(long && !live).sorted(by: \.name))
/// ```
///
/// A predicate is compiled when the filter is made: comparisons of stored properties with constants
/// look through records by the page, where they lie in memory. What cannot be compiled is evaluated
/// as Foundation does, to the same answer, and takes longer.
///
/// Texts are equal, and contain each other, as Swift's strings do: by characters, whichever way
/// Unicode writes them. NaN is equal to nothing, and neither less nor greater.
public struct RecordFilter<R: GraphRecord>: Sendable {
  private let compiled: FilterTest
  /// The place in an order that no record which fulfils the condition comes before, if there is
  /// one.
  package private(set) var position: SortPosition<R>?
  /// Whether there is no condition: it is ``all``.
  public let isAll: Bool
  /// What must be asked before it can be tried, if it has conditions on related records.
  private(set) var related: RelatedFilter<R>?

  /// The condition of a predicate.
  ///
  /// - Parameter predicate: The predicate.
  /// - Complexity: O(*n*) in the expressions of the predicate: some microseconds each.
  public init(_ predicate: Predicate<R>) {
    self.init(PredicateCompiler.compile(predicate))
  }

  /// The condition of a closure, which no store can be asked for: it must read all records.
  ///
  /// - Parameter isIncluded: Whether a record fulfils it. It must depend on the record alone.
  public init(_ isIncluded: @escaping @Sendable (R) -> Bool) {
    self.init(FilterTest(PageTest(record: R.self) { isIncluded($0.pointee) }))
  }

  /// A condition that stores can be told.
  init(
    _ condition: FilterCondition, at position: SortPosition<R>? = nil,
    _ isIncluded: @escaping @Sendable (R) -> Bool
  ) {
    self.init(FilterTest(PageTest(record: R.self) { isIncluded($0.pointee) }, condition))
    self.position = position
  }

  /// A condition that can be tried once it is known which records are related.
  init(_ condition: some RelatedCondition<R>) {
    self.init(FilterTest(PageTest(record: R.self) { _ in throw condition.unresolved }))
    related = RelatedFilter(condition)
  }

  init(_ compiled: FilterTest, isAll: Bool = false) {
    self.compiled = compiled
    self.isAll = isAll
  }

  /// What runs no code of the records' or of their user's: no record that fulfils the condition
  /// fails it.
  var scan: PageTest { compiled.scan }

  /// Whether that is all of the condition.
  var isScan: Bool { compiled.isScan }

  /// What it asks of records, as far as a store can be told.
  package var condition: FilterCondition { compiled.condition }

  /// The condition that all records fulfil.
  public static var all: RecordFilter { RecordFilter(.constant(true), isAll: true) }

  /// The condition that both are fulfilled.
  ///
  /// - Parameters:
  ///   - left: A filter.
  ///   - right: Another filter, for records that fulfil the first.
  /// - Returns: The filter.
  public static func && (left: RecordFilter, right: RecordFilter) -> RecordFilter {
    if left.isAll { return right }
    if right.isAll { return left }
    var both = RecordFilter(left.compiled.and(right.compiled))
    both.position = left.position ?? right.position
    both.related = RelatedFilter(left, "&&", right) { $0 && $1 }
    return both
  }

  /// The condition that one of two is fulfilled.
  ///
  /// - Parameters:
  ///   - left: A filter.
  ///   - right: Another filter, for records that do not fulfil the first.
  /// - Returns: The filter.
  public static func || (left: RecordFilter, right: RecordFilter) -> RecordFilter {
    if left.isAll || right.isAll { return .all }
    var either = RecordFilter(left.compiled.or(right.compiled))
    either.related = RelatedFilter(left, "||", right) { $0 || $1 }
    return either
  }

  /// The condition that another is not fulfilled.
  ///
  /// - Parameter filter: The other.
  /// - Returns: The filter.
  public static prefix func ! (filter: RecordFilter) -> RecordFilter {
    var opposite = RecordFilter(filter.compiled.negated)
    opposite.related = filter.related?.negated
    return opposite
  }

  /// Whether a record fulfils the condition.
  ///
  /// - Parameter record: The record.
  /// - Returns: Whether it does.
  /// - Throws: `KinshipError.filterFailed` if that cannot be told: numbers of the predicate
  ///   overflow for this record, or are divided by zero, or what it unwraps by force is `nil`; and
  ///   `.unresolvedCondition` for a condition on related records, which only a cache can answer.
  public func matches(_ record: R) throws(KinshipError) -> Bool {
    if isAll { return true }
    try related?.refuse()
    return try Self.trying { () throws(ScanFailure<R>) in
      try withUnsafePointer(to: record) { record throws(ScanFailure<R>) in
        try compiled.test.passing(1, at: record) != 0
      }
    }
  }

  /// Those of some records that fulfil the condition.
  ///
  /// - Parameter records: The records.
  /// - Returns: Those that do, in their order.
  /// - Throws: What ``matches(_:)`` throws.
  /// - Complexity: O(*n*) in the records.
  public func matching(in records: [R]) throws(KinshipError) -> [R] {
    if isAll { return records }
    try related?.refuse()
    let found = try Self.trying { () throws(ScanFailure<R>) in
      try records.withUnsafeBufferPointer { records throws(ScanFailure<R>) -> [R]? in
        var found: [R] = []
        var isAllSoFar = true
        guard let base = records.baseAddress else { return nil }
        for start in stride(from: 0, to: records.count, by: 64) {
          let all = UInt64.max >> UInt64(64 - min(64, records.count - start))
          var rest = try compiled.test.passing(all, at: base + start)
          // As long as all do, none is copied.
          if isAllSoFar, rest == all { continue }
          if isAllSoFar {
            isAllSoFar = false
            found = Array(records[..<start])
          }
          while rest != 0 {
            found.append(records[start + rest.trailingZeroBitCount])
            rest &= rest - 1
          }
        }
        return isAllSoFar ? nil : found
      }
    }
    return found ?? records
  }

  /// Does what tries the condition; where that cannot be told of a record, this one is named.
  static func trying<Result>(
    _ body: () throws(ScanFailure<R>) -> Result
  ) throws(KinshipError) -> Result {
    do {
      return try body()
    } catch {
      throw .filterFailed(AnyRef(error.value.ref), cause: error.cause)
    }
  }
}

extension RecordFilter {
  /// What tells it from others, in words that mean the same in any process.
  var text: String { related?.text ?? condition.text }

  /// The first record that does not fulfil the condition.
  func firstMismatch(in records: [R]) throws(KinshipError) -> Int? {
    if isAll { return nil }
    for index in records.indices where try !matches(records[index]) { return index }
    return nil
  }
}
