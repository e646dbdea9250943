/// How old what is known may be before the store is asked again, and what a reader gets meanwhile.
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
/// Ages are those that ``GraphCache/age(of:)`` tells, to a tenth of a second: they count from when
/// a record arrived or was written, and from before if its store has answered by a copy. What a
/// pending write shows is of the moment.
public struct Freshness: Hashable, Sendable {
  /// What a reader gets of what is too old.
  public enum Policy: Hashable, Sendable {
    /// The fresh record, once the store has answered; its error if it fails.
    case wait
    /// The old record at once, and the store is asked in the background: the new one comes to
    /// memory and to observers. One that is older than the second bound is waited for.
    case staleWhileRevalidating(upTo: Duration?)
    /// The fresh record, once the store has answered; if it fails, the old one, unless that is
    /// older than the second bound.
    case staleIfFailing(upTo: Duration?)
  }

  /// How old a record may be to be fresh.
  public var limit: Duration
  /// How long ago the store may have said that a record does not exist.
  public var missingLimit: Duration
  /// What a reader gets of what is older.
  public var policy: Policy
  /// Whether a record leaves memory once it is too old to be shown at all.
  ///
  /// It leaves with ``RemovalReason/expired``, unless it is leased. It matters where it is said of
  /// a type, and costs a few bytes for each record.
  public var removesExpired = false

  /// Creates a demand.
  ///
  /// - Parameters:
  ///   - limit: How old a record may be.
  ///   - missingLimit: How long ago the store may have said that a record does not exist; the limit
  ///     if it is not given.
  ///   - policy: What a reader gets of what is older.
  public init(limit: Duration, missingLimit: Duration? = nil, policy: Policy = .wait) {
    self.limit = limit
    self.missingLimit = missingLimit ?? limit
    self.policy = policy
  }

  /// What is older is waited for.
  ///
  /// - Parameter limit: How old a record may be.
  /// - Returns: The demand.
  public static func within(_ limit: Duration) -> Freshness { Freshness(limit: limit) }

  /// What is older is shown, and the store is asked in the background.
  ///
  /// - Parameters:
  ///   - limit: How old a record may be to be fresh.
  ///   - bound: How old it may be to be shown; `nil` for any age.
  /// - Returns: The demand.
  public static func staleWhileRevalidating(
    after limit: Duration, upTo bound: Duration? = nil
  ) -> Freshness {
    Freshness(limit: limit, policy: .staleWhileRevalidating(upTo: bound))
  }

  /// What is older is shown if the store fails.
  ///
  /// - Parameters:
  ///   - limit: How old a record may be to be fresh.
  ///   - bound: How old it may be to be shown; `nil` for any age.
  /// - Returns: The demand.
  public static func staleIfFailing(
    after limit: Duration, upTo bound: Duration? = nil
  ) -> Freshness {
    Freshness(limit: limit, policy: .staleIfFailing(upTo: bound))
  }

  /// The same, and what is too old to be shown leaves memory.
  ///
  /// ```swift
  /// let rule = FreshnessRule(Person.self, .within(.seconds(60)).removingExpired())
  /// ```
  ///
  /// - Returns: The demand.
  public func removingExpired() -> Freshness {
    var freshness = self
    freshness.removesExpired = true
    return freshness
  }

  /// Whether the store is asked in the background.
  var revalidates: Bool {
    if case .staleWhileRevalidating = policy { true } else { false }
  }

  /// The age below which a record in memory is shown, and nothing is asked of the store.
  ///
  /// Of many records that came together, not all are revalidated together: some of them somewhat
  /// before the limit.
  var quickLimit: Age { revalidates ? Age(limit).earliest : Age(limit) }

  /// How old a record may be to be shown at all; `nil` for any age.
  var lastBound: Duration? {
    switch policy {
    case .wait: limit
    case .staleWhileRevalidating(let bound), .staleIfFailing(let bound):
      bound.map { max($0, limit) }
    }
  }
}

/// An answer, and how old it is.
public struct Dated<Value> {
  /// The answer.
  public let value: Value
  /// How old it is: of an answer of several records, the oldest of them.
  ///
  /// What was written here and is not committed yet is of the moment.
  public let age: Duration
  /// Whether it is older than the reader wanted it.
  public let isStale: Bool
  /// Why nothing fresh could be had, if that was tried.
  public let failure: (any Error)?

  init(_ value: Value, age: Duration, isStale: Bool, failure: (any Error)? = nil) {
    self.value = value
    self.age = age
    self.isStale = isStale
    self.failure = failure
  }
}

extension Dated: Sendable where Value: Sendable {}
