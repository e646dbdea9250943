/// The way to the model objects of one technology: where they may be touched, and what a
/// transaction is.
///
/// An actor, a queue, an object context with a queue of its own. All that a ``TranslatingStore``
/// does with model objects it does in the closures that it gives to a session; only records leave
/// them.
///
/// ```swift
/// actor FamilyModels: ModelSession {
///   private let objects = FamilyObjects()
///
///   func read<Answer: Sendable>(
///     _ body: @escaping @Sendable (FamilyObjects) throws -> Answer
///   ) throws -> Answer {
///     try body(objects)
///   }
///
///   func write<Answer: Sendable>(
///     _ body: @escaping @Sendable (FamilyObjects) throws -> Answer
///   ) throws -> Answer {
///     do {
///       let answer = try body(objects)
///       try objects.save()
///       return answer
///     } catch {
///       objects.rollback()
///       throw error
///     }
///   }
/// }
/// ```
public protocol ModelSession: Sendable {
  /// What finds, makes and deletes model objects; it need not be `Sendable`.
  associatedtype Context: TranslationContext

  /// Runs a closure where model objects may be touched.
  ///
  /// - Parameter body: What to do; it changes nothing, and sees one state of the data.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, and whatever keeps the session from running it.
  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer

  /// Runs a closure where model objects may be touched, in a transaction.
  ///
  /// The default refuses: the session can only be read.
  ///
  /// - Parameter body: What to do.
  /// - Returns: What the closure returns, once the changes are committed.
  /// - Throws: What the closure throws, and whatever keeps the session from committing; then all is
  ///   as it was.
  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer
}

extension ModelSession {
  /// Refuses: the session can only be read.
  ///
  /// - Parameter body: What was to be done.
  /// - Returns: Nothing.
  /// - Throws: `KinshipError.readOnlyStore`.
  public func write<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer {
    throw KinshipError.readOnlyStore(String(describing: Self.self))
  }
}
