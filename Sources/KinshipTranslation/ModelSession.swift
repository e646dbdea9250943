internal import Kinship

/// Gives access to the model objects of one technology: the place where code may use them, and the
/// transactions that change them.
///
/// A session is an actor, a queue, or an object context with a queue of its own. A
/// ``TranslatingStore`` uses model objects only in the closures that it passes to the session; only
/// records leave those closures.
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
  /// The type that finds, makes and deletes model objects; it need not be `Sendable`.
  associatedtype Context: TranslationContext

  /// Runs a closure that reads model objects.
  ///
  /// - Parameter body: The closure. It changes nothing, and must see one consistent state of the
  ///   data.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or any error that keeps the session from running it.
  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer

  /// Runs a closure that changes model objects, in a transaction.
  ///
  /// The default implementation throws: the session is read-only.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The result of the closure, once the changes are committed.
  /// - Throws: The error of the closure, or any error that keeps the session from committing.
  ///   ``isRefusal(_:)`` says whether the data are unchanged then.
  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer

  /// Returns whether an error of ``write(_:)`` means, for certain, that nothing was changed.
  ///
  /// A failed validation is such an error; a connection that is lost during the commit is not.
  /// After any other error, the cache drops the records of the changes, and loads them at the next
  /// read: `BackingStore.isRefusal(_:)`.
  ///
  /// - Parameter error: The error, as it was thrown; never a `KinshipError`, which itself says
  ///   whether it is a refusal.
  /// - Returns: Whether nothing was changed. The default implementation returns `false`.
  func isRefusal(_ error: any Error) -> Bool

  /// Returns whether an error of the session, or of a context, means that the data are unreachable.
  ///
  /// An `OfflineQueue` keeps a write that fails with such an error, and sends it again:
  /// `BackingStore.isOutage(_:)`.
  ///
  /// - Parameter error: The error, as it was thrown.
  /// - Returns: Whether the data are unreachable. The default implementation returns `false`.
  func isOutage(_ error: any Error) -> Bool
}

extension ModelSession {
  /// Throws, because the session is read-only.
  ///
  /// - Parameter body: The closure, which is not run.
  /// - Returns: Never.
  /// - Throws: `KinshipError.readOnlyStore`.
  public func write<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer {
    throw KinshipError.readOnlyStore(String(describing: Self.self))
  }

  /// Returns whether an error means, for certain, that nothing was changed.
  ///
  /// - Parameter error: The error.
  /// - Returns: `false`.
  public func isRefusal(_ error: any Error) -> Bool { false }

  /// Returns whether an error means that the data are unreachable.
  ///
  /// - Parameter error: The error.
  /// - Returns: `false`.
  public func isOutage(_ error: any Error) -> Bool { false }
}
