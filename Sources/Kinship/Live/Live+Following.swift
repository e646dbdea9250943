extension Live {
  /// Follows the answer to a request.
  ///
  /// ```swift
  /// let number = Live(cache, rock.count, startingWith: 0)
  /// ```
  ///
  /// The first value is what memory knows: see ``GraphCache/peek(_:)->Known<Asked.Observed>``.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - request: The request.
  ///   - value: The value while nothing is known.
  public convenience init<Asked: Request>(
    _ cache: GraphCache, _ request: Asked, startingWith value: Value
  ) where Asked.Observed == Value {
    let known = cache.peek(request)
    self.init(
      cache.observe(request), startingWith: known.value ?? value, isLoading: !known.isComplete,
      isKept: known.value != nil)
  }

  /// Follows something that has a value while nothing is known: `nil`, or an empty collection.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - request: The request.
  public convenience init<Asked: Request>(_ cache: GraphCache, _ request: Asked)
  where Asked.Observed == Value, Value: Emptiable {
    self.init(cache, request, startingWith: Value(nothingKnown: ()))
  }
}

extension Live {
  /// Follows the result of a query.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  public convenience init<R: GraphRecord>(_ cache: GraphCache, _ query: RecordQuery<R>)
  where Value == ResultList<R> {
    self.init(cache, query, startingWith: ResultList())
  }
}

/// A type with a value for when nothing is known yet: `nil`, or an empty collection.
public protocol Emptiable {
  /// Creates the value.
  init(nothingKnown: Void)
}

extension Optional: Emptiable {
  /// Creates `nil`.
  public init(nothingKnown: Void) { self = nil }
}

extension Array: Emptiable {
  /// Creates an empty array.
  public init(nothingKnown: Void) { self = [] }
}

extension Set: Emptiable {
  /// Creates an empty set.
  public init(nothingKnown: Void) { self = [] }
}

extension Dictionary: Emptiable {
  /// Creates an empty dictionary.
  public init(nothingKnown: Void) { self = [:] }
}

extension ResultList: Emptiable {
  /// Creates an empty list.
  public init(nothingKnown: Void) { self.init() }
}

extension SectionedList: Emptiable {
  /// Creates a list without sections.
  public init(nothingKnown: Void) { self.init() }
}
