/// The maximum age of a store's answer, and the age of its records.
///
/// A store that keeps copies of another's records reads the maximum age here in its calls, and
/// notes which records it has answered from copies. All other records count as current.
///
/// ```swift
/// /// Answers with records that it has fetched before, if the reader allows their age.
/// func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
///   let copies = copies(of: type, ids: ids, within: AnswerAges.limit ?? .seconds(60))
///   AnswerAges.note(copies.map { ($0.record.ref, age: $0.age) })
///   let known = Set(copies.map { $0.record.id })
///   let others = try await base.fetch(type, ids: ids.filter { !known.contains($0) })
///   return copies.map(\.record) + others
/// }
/// ```
public final class AnswerAges: Sendable {
  /// The ages of the current call, if a cache makes it.
  @TaskLocal package static var current: AnswerAges?

  private struct Notes {
    var ages: [AnyRef: Duration] = [:]
    var cause: (any Error)?
  }

  let limits: Limits
  private let notes = Lock(Notes())

  /// The maximum age of an answer; `nil` if the reader demands none.
  struct Limits: Hashable, Sendable {
    var limit: Duration?
    var outageLimit: Duration?

    /// Lowers the limits to those of others.
    mutating func formMinimum(_ other: Limits) {
      if let bound = other.limit { limit = min(bound, limit ?? bound) }
      if let bound = other.outageLimit { outageLimit = min(bound, outageLimit ?? bound) }
    }
  }

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// The maximum age of records in this call; `nil` if the reader demands none, and the store may
  /// choose.
  public static var limit: Duration? { current?.limits.limit }

  /// The maximum age of records in this call whose source is unreachable; `nil` if the reader
  /// demands none, and the store may choose.
  public static var outageLimit: Duration? { current?.limits.outageLimit }

  /// Notes that records of the answer are copies, and their ages.
  ///
  /// - Parameters:
  ///   - copies: The refs that name them, each with the time since its source had that value.
  ///   - cause: The error that kept the store from their source, if it tried.
  /// - Complexity: O(*n*) in the copies.
  public static func note<R: GraphRecord>(
    _ copies: [(ref: Ref<R>, age: Duration)], cause: (any Error)? = nil
  ) {
    current?.notes.withLock { notes in
      for (ref, age) in copies { notes.ages[AnyRef(ref)] = age }
      if let cause { notes.cause = cause }
    }
  }

  /// Returns the age of a record that is not current; `nil` if all records are.
  var age: (@Sendable (any Cacheable) -> Age?)? {
    let ages = noted.ages
    if ages.isEmpty { return nil }
    return { value in
      (value as? any GraphRecord).flatMap { ages[AnyRef(to: $0)] }.map { Age($0) }
    }
  }

  /// The ages noted for copies, and the error that kept the store from their source.
  var noted: (ages: [AnyRef: Duration], cause: (any Error)?) {
    notes.withLock { ($0.ages, $0.cause) }
  }
}
