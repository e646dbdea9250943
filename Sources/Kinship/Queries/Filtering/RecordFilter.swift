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
/// A predicate is compiled when you create the filter. The cache scans memory 64 records at a time,
/// without copying them, if the predicate compares stored properties with constants: standard
/// library types, `Date`, `UUID` and refs, by equality, order, ranges, membership in a captured
/// list, `contains` and `starts(with:)`. Other expressions are evaluated as in Foundation, with the
/// same result. They and closures take some hundred nanoseconds for each record, which is copied
/// first, because none of your code runs while the cache is locked.
///
/// Texts are compared by characters, as Swift's strings are, whichever way Unicode writes them: an
/// `é` is one, and contains no `e`. `nil` equals only `nil`. NaN is equal to nothing, and neither
/// less nor greater. Records that an index or a database has already left out are not evaluated.
public struct RecordFilter<R: GraphRecord>: Sendable {
  private let compiled: FilterTest
  /// Whether there is no condition: the filter is ``all``.
  public let isAll: Bool
  /// The conditions on related records, in their order in the tree; their queries must be answered
  /// before the filter can be evaluated.
  private(set) var related: [any RelatedCondition<R>] = []

  /// Creates the condition of a predicate.
  ///
  /// - Parameter predicate: The predicate.
  /// - Complexity: O(*n*) in the expressions of the predicate: some microseconds each.
  public init(_ predicate: Predicate<R>) {
    self.init(PredicateCompiler.compile(predicate))
  }

  /// Creates a condition from a closure; stores cannot evaluate it, so all records must be read.
  ///
  /// - Parameter isIncluded: Returns whether a record fulfils it. It must depend on the record
  ///   alone.
  public init(_ isIncluded: @escaping @Sendable (R) -> Bool) {
    self.init(FilterTest(PageTest(record: R.self) { isIncluded($0.pointee) }))
  }

  /// Creates a condition that can be described to stores.
  init(_ condition: FilterCondition, _ isIncluded: @escaping @Sendable (R) -> Bool) {
    self.init(FilterTest(PageTest(record: R.self) { isIncluded($0.pointee) }, condition))
  }

  /// Creates a condition that can be evaluated once the related records are known.
  init(_ condition: some RelatedCondition<R>) {
    let test = PageTest(record: R.self) { _ in throw condition.unresolved }
    self.init(FilterTest(test, .related(condition.description)))
    related = [condition]
  }

  init(_ compiled: FilterTest, isAll: Bool = false) {
    self.compiled = compiled
    self.isAll = isAll
  }

  /// A coarser test that runs no code of the records or of the user: every record that fulfils the
  /// condition passes it.
  var scan: PageTest { compiled.scan }

  /// Whether the scan is equivalent to the condition.
  var isScan: Bool { compiled.isScan }

  /// The condition as a tree, for a store that translates it.
  public var condition: FilterCondition { compiled.condition }

  /// Returns the part of the filter that a store understands: every record that fulfils the filter
  /// fulfils the part.
  ///
  /// The closure is first called for the whole condition, and then for parts of it. Negations are
  /// moved inwards if necessary.
  ///
  /// - Parameter isUnderstood: Returns whether the store can evaluate a condition. It is called
  ///   only for conditions that are ``FilterCondition/isReadable``.
  /// - Returns: The strictest such filter: this one if the store understands all of it, and
  ///   ``all`` if it understands nothing.
  public func part(understoodBy isUnderstood: (FilterCondition) -> Bool) -> RecordFilter {
    if isAll { return self }
    return compiled.part(isUnderstood).map { RecordFilter($0) } ?? .all
  }

  /// Returns the filter with its conditions on related records resolved, in their order.
  func resolved(_ filters: [RecordFilter<R>]) -> RecordFilter<R> {
    var rest = filters[...]
    return RecordFilter(compiled.resolved { rest.popFirst()?.compiled ?? .constant(true) })
  }

  /// The condition that all records fulfil.
  public static var all: RecordFilter { RecordFilter(.constant(true), isAll: true) }

  /// Returns the condition that both are fulfilled.
  ///
  /// - Parameters:
  ///   - left: A filter.
  ///   - right: Another filter, for records that fulfil the first.
  /// - Returns: The filter.
  public static func && (left: RecordFilter, right: RecordFilter) -> RecordFilter {
    if left.isAll { return right }
    if right.isAll { return left }
    var both = RecordFilter(left.compiled.and(right.compiled))
    both.related = left.related + right.related
    return both
  }

  /// Returns the condition that one of two is fulfilled.
  ///
  /// - Parameters:
  ///   - left: A filter.
  ///   - right: Another filter, for records that do not fulfil the first.
  /// - Returns: The filter.
  public static func || (left: RecordFilter, right: RecordFilter) -> RecordFilter {
    if left.isAll || right.isAll { return .all }
    var either = RecordFilter(left.compiled.or(right.compiled))
    either.related = left.related + right.related
    return either
  }

  /// Returns the opposite of a condition.
  ///
  /// - Parameter filter: The condition.
  /// - Returns: The filter.
  public static prefix func ! (filter: RecordFilter) -> RecordFilter {
    var opposite = RecordFilter(filter.compiled.negated)
    opposite.related = filter.related
    return opposite
  }

  /// Returns whether a record fulfils the condition.
  ///
  /// - Parameter record: The record.
  /// - Returns: Whether it does.
  /// - Throws: `KinshipError.filterFailed` if the condition cannot be evaluated: for this record,
  ///   numbers of the predicate overflow or are divided by zero, or a force-unwrapped value is
  ///   `nil`; and `.misuse(.unresolvedCondition)` for a condition on related records, which only a
  ///   cache can evaluate.
  public func matches(_ record: R) throws(KinshipError) -> Bool {
    if isAll { return true }
    if let condition = related.first { throw condition.unresolved }
    return try Self.trying { () throws(ScanFailure<R>) in
      try withUnsafePointer(to: record) { record throws(ScanFailure<R>) in
        try compiled.test.passing(1, at: record) != 0
      }
    }
  }

  /// Returns the records that fulfil the condition.
  ///
  /// - Parameter records: The records.
  /// - Returns: Those that fulfil it, in their order.
  /// - Throws: The errors of ``matches(_:)``.
  /// - Complexity: O(*n*) in the records.
  public func matching(in records: [R]) throws(KinshipError) -> [R] {
    if isAll { return records }
    var found: [R] = []
    // As long as all do, none is copied.
    var isComplete = true
    _ = try scan(records) { start, passing, all in
      if isComplete, passing == all { return nil }
      if isComplete { found = Array(records[..<start]) }
      isComplete = false
      var rest = passing
      while rest != 0 {
        found.append(records[start + rest.trailingZeroBitCount])
        rest &= rest - 1
      }
      return nil
    }
    return isComplete ? records : found
  }

  /// Returns the first record that does not fulfil the condition.
  func firstMismatch(in records: [R]) throws(KinshipError) -> Int? {
    if isAll { return nil }
    return try scan(records) { start, passing, all in
      passing == all ? nil : start + (~passing).trailingZeroBitCount
    }
  }

  /// Evaluates the condition for up to 64 records at a time.
  ///
  /// It calls a closure with the position of these, the bits of those that fulfil it, and the bits
  /// of all, until the closure returns a result.
  private func scan(
    _ records: [R], _ body: (Int, UInt64, UInt64) -> Int?
  ) throws(KinshipError) -> Int? {
    if let condition = related.first { throw condition.unresolved }
    return try Self.trying { () throws(ScanFailure<R>) in
      try records.withUnsafeBufferPointer { records throws(ScanFailure<R>) -> Int? in
        guard let base = records.baseAddress else { return nil }
        for start in stride(from: 0, to: records.count, by: 64) {
          let all = UInt64.max >> UInt64(64 - min(64, records.count - start))
          let passing = try compiled.test.passing(all, at: base + start)
          if let result = body(start, passing, all) { return result }
        }
        return nil
      }
    }
  }

  /// Evaluates the condition; if that fails, the error names this record.
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
