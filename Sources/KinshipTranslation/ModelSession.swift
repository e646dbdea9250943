internal import Kinship

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
  /// - Throws: What the closure throws, and whatever keeps the session from committing:
  ///   ``isRefusal(_:)`` tells whether all is as it was then.
  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer

  /// Whether an error that ``write(_:)`` has thrown means, for certain, that nothing was changed.
  ///
  /// A validation that fails is such an error; a connection that is lost while changes are saved is
  /// not. After an error that is no refusal the cache drops what was to be changed, and asks for it
  /// at the next read: `BackingStore.isRefusal(_:)`.
  ///
  /// - Parameter error: The error, as it was thrown; none of `KinshipError`, which says itself
  ///   whether it is a refusal.
  /// - Returns: Whether nothing was changed. The default says no of every error.
  func isRefusal(_ error: any Error) -> Bool

  /// Whether an error of the session, or of a context, means that the data could not be reached.
  ///
  /// An `OfflineQueue` keeps a write that fails by such an error and sends it again:
  /// `BackingStore.isOutage(_:)`.
  ///
  /// - Parameter error: The error, as it was thrown.
  /// - Returns: Whether the data were out of reach. The default says no of every error.
  func isOutage(_ error: any Error) -> Bool
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

  /// Whether an error means, for certain, that nothing was changed.
  ///
  /// - Parameter error: The error.
  /// - Returns: `false`.
  public func isRefusal(_ error: any Error) -> Bool { false }

  /// Whether an error means that the data could not be reached.
  ///
  /// - Parameter error: The error.
  /// - Returns: `false`.
  public func isOutage(_ error: any Error) -> Bool { false }
}
