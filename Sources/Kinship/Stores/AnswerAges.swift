/// How old what a store answers may be, and how old it is.
///
/// A store that keeps copies of another's records is told in its calls what the reader bears, and
/// says of which records it has answered by copies. What a store says nothing of is of the moment.
///
/// ```swift
/// /// Answers by what it has fetched before, as long as the reader bears it.
/// func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
///   let copies = copies(of: type, ids: ids, within: AnswerAges.limit ?? .seconds(60))
///   AnswerAges.note(copies.map { ($0.record.ref, age: $0.age) })
///   let known = Set(copies.map { $0.record.id })
///   let others = try await base.fetch(type, ids: ids.filter { !known.contains($0) })
///   return copies.map(\.record) + others
/// }
/// ```
public final class AnswerAges: Sendable {
  /// Those of the call at hand, if it is made by a cache.
  @TaskLocal package static var current: AnswerAges?

  private struct Notes {
    var ages: [AnyRef: Duration] = [:]
    var cause: (any Error)?
  }

  let limits: Limits
  private let notes = Lock(Notes())

  /// How old an answer may be; `nil` where the reader does not say.
  struct Limits: Hashable, Sendable {
    var limit: Duration?
    var outageLimit: Duration?

    /// Becomes what suits others, too.
    mutating func formMinimum(_ other: Limits) {
      if let bound = other.limit { limit = min(bound, limit ?? bound) }
      if let bound = other.outageLimit { outageLimit = min(bound, outageLimit ?? bound) }
    }
  }

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// How old the reader of this call bears records to be; `nil` if it has not said, and the store
  /// may choose.
  public static var limit: Duration? { current?.limits.limit }

  /// How old the reader of this call bears records to be whose source cannot be reached; `nil` if
  /// it has not said, and the store may choose.
  public static var outageLimit: Duration? { current?.limits.outageLimit }

  /// Says that records of the answer are copies, and how old.
  ///
  /// - Parameters:
  ///   - copies: The refs that name them, and how long ago each was as its source had it.
  ///   - cause: Why they could not be had from their source, if that was tried.
  /// - Complexity: O(*n*) in the copies.
  public static func note<R: GraphRecord>(
    _ copies: [(ref: Ref<R>, age: Duration)], cause: (any Error)? = nil
  ) {
    current?.notes.withLock { notes in
      for (ref, age) in copies { notes.ages[AnyRef(ref)] = age }
      if let cause { notes.cause = cause }
    }
  }

  /// How old what a record is that is not of this moment; nothing if all are.
  var age: (@Sendable (any Cacheable) -> Age?)? {
    @Sendable func ref<R: GraphRecord>(_ record: R) -> AnyRef { AnyRef(record.ref) }
    let ages = noted.ages
    if ages.isEmpty { return nil }
    return { value in
      (value as? any GraphRecord).flatMap { ages[ref($0)] }.map { Age($0) }
    }
  }

  /// What was said: the ages of copies, and why they could not be had from their source.
  var noted: (ages: [AnyRef: Duration], cause: (any Error)?) {
    notes.withLock { ($0.ages, $0.cause) }
  }
}
