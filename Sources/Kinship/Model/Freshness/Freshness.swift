/// The maximum age of records before the cache asks the store again, and what a reader gets
/// meanwhile.
///
/// ```swift
/// struct Headline: GraphRecord {
///   let id: Int
///   var text: String
///
///   static let freshness: Freshness? = .staleWhileRevalidating(after: .seconds(60))
/// }
/// ```
///
/// Ages are those of ``GraphCache/age(of:)``, to a tenth of a second. They count from the moment at
/// which the store's answer arrived or the record was written, or earlier if the store has answered
/// from a copy: see ``AnswerAges``. Setting one property makes the whole record young. Pending
/// writes have the age 0. In a cache without a store, all records count as fresh.
public struct Freshness: Hashable, Sendable {
  /// The result that a reader gets if a record is stale.
  public enum Policy: Hashable, Sendable {
    /// The fresh record, once the store has answered; its error if it fails.
    case wait
    /// The reader gets the old record at once, and the cache asks the store in the background.
    ///
    /// The new record then replaces it in memory, and observers are notified. The reader waits if
    /// the record is older than the second bound.
    case staleWhileRevalidating(upTo: Duration?)
    /// The fresh record, once the store has answered; if it fails, the old one, unless that is
    /// older than the second bound.
    case staleIfFailing(upTo: Duration?)
  }

  /// The maximum age of a fresh record.
  public var limit: Duration
  /// The maximum age of the knowledge that a record does not exist.
  ///
  /// A snapshot keeps no age of it: the cache asks the store as soon as a reader limits it.
  public var missingLimit: Duration
  /// The policy for stale records.
  public var policy: Policy
  /// Whether a record leaves memory once it is too old to be returned at all.
  ///
  /// It leaves with ``RemovalReason/expired`` at most a thirtieth of its time after it is due,
  /// unless it is leased. This applies only to the freshness of a type. It costs a few bytes for
  /// each record, and time in proportion to the records that are due.
  ///
  /// ```swift
  /// let rule = FreshnessRule(Person.self, Freshness(limit: .seconds(60), removesExpired: true))
  /// ```
  public var removesExpired: Bool

  /// Creates a demand.
  ///
  /// - Parameters:
  ///   - limit: The maximum age of a fresh record.
  ///   - missingLimit: The maximum age of the knowledge that a record does not exist; by default,
  ///     the limit.
  ///   - policy: The policy for stale records.
  ///   - removesExpired: Whether a record leaves memory once it is too old to be returned at all.
  @inlinable
  public init(
    limit: Duration, missingLimit: Duration? = nil, policy: Policy = .wait,
    removesExpired: Bool = false
  ) {
    self.limit = limit
    self.missingLimit = missingLimit ?? limit
    self.policy = policy
    self.removesExpired = removesExpired
  }

  /// Makes the reader wait for the store if a record is older than a limit.
  ///
  /// - Parameter limit: The maximum age of a fresh record.
  /// - Returns: The demand.
  @inlinable
  public static func within(_ limit: Duration) -> Freshness { Freshness(limit: limit) }

  /// Returns a stale record at once, and asks the store in the background.
  ///
  /// The cache revalidates records up to a tenth of their time early, each at another moment, so
  /// that it does not request together what was loaded together. If the store fails in the
  /// background, the cache waits a second before it asks again.
  ///
  /// - Parameters:
  ///   - limit: The maximum age of a fresh record.
  ///   - bound: The maximum age of a record to return; `nil` for any age.
  /// - Returns: The demand.
  public static func staleWhileRevalidating(
    after limit: Duration, upTo bound: Duration? = nil
  ) -> Freshness {
    Freshness(limit: limit, policy: .staleWhileRevalidating(upTo: bound))
  }

  /// Returns a stale record if the store fails.
  ///
  /// - Parameters:
  ///   - limit: The maximum age of a fresh record.
  ///   - bound: The maximum age of a record to return; `nil` for any age.
  /// - Returns: The demand.
  public static func staleIfFailing(
    after limit: Duration, upTo bound: Duration? = nil
  ) -> Freshness {
    Freshness(limit: limit, policy: .staleIfFailing(upTo: bound))
  }

  /// Whether the cache asks the store in the background.
  var revalidates: Bool {
    if case .staleWhileRevalidating = policy { true } else { false }
  }

  /// The age below which a record in memory is returned without asking the store.
  ///
  /// To spread revalidation, some of the records that were loaded together are revalidated somewhat
  /// before the limit.
  var quickLimit: Age { revalidates ? Age(limit).earliest : Age(limit) }

  /// The maximum age of a record to return at all; `nil` for any age.
  var lastBound: Duration? {
    switch policy {
    case .wait: limit
    case .staleWhileRevalidating(let bound), .staleIfFailing(let bound):
      bound.map { max($0, limit) }
    }
  }
}

/// An answer and its age.
public struct Dated<Value> {
  /// The answer.
  public let value: Value
  /// The age of the record; for an answer of several records, of the oldest.
  ///
  /// A local write that is not committed yet has the age 0.
  public let age: Duration
  /// Whether the record is older than the reader demanded.
  public let isStale: Bool
  /// The error of the attempt to get a fresh answer, if there was one.
  public let failure: (any Error)?

  init(_ value: Value, age: Duration, isStale: Bool, failure: (any Error)? = nil) {
    self.value = value
    self.age = age
    self.isStale = isStale
    self.failure = failure
  }
}

extension Dated: Sendable where Value: Sendable {}
