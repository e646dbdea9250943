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
  ///   ``classify(_:)`` says whether the data are unchanged then.
  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer

  /// Says what an error of the session, or of a context, means for the data.
  ///
  /// ```swift
  /// nonisolated func classify(_ error: any Error) -> ModelErrorClass {
  ///   switch error {
  ///   case is ValidationFailed: .refusal
  ///   case is ConnectionLost: .outage
  ///   default: .defect
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter error: The error, as it was thrown; never a `KinshipError` or an ``InvalidModel``,
  ///   which classify themselves.
  /// - Returns: The class. The default implementation returns ``ModelErrorClass/defect``.
  func classify(_ error: any Error) -> ModelErrorClass
}

/// The meaning of an error of a ``ModelSession`` for the data.
public enum ModelErrorClass: Hashable, Sendable {
  /// Nothing was changed, for certain: a validation has failed, for example.
  ///
  /// Memory stays as it was.
  case refusal

  /// The data were unreachable.
  ///
  /// An `OfflineQueue` keeps the write, and a `TieredStore` answers from its copies. Memory drops
  /// the records that the write was to change, because it may have arrived.
  case outage

  /// The data were unreachable, and the write has not arrived, for certain.
  ///
  /// The same as ``outage``, but memory stays as it was.
  case outageBeforeWriting

  /// Anything else: the write may have been made or not.
  ///
  /// Memory drops the records that it was to change, and the next read loads them.
  case defect
}

extension ModelSession {
  /// Throws, because the session is read-only.
  ///
  /// - Parameter body: The closure, which is not run.
  /// - Returns: Never.
  /// - Throws: `KinshipError.misuse(.readOnlyStore)`.
  public func write<Answer: Sendable>(
    _ body: @escaping @Sendable (Context) throws -> Answer
  ) async throws -> Answer {
    throw KinshipError.misuse(.readOnlyStore(String(describing: Self.self)))
  }

  /// Says what an error means for the data.
  ///
  /// - Parameter error: The error.
  /// - Returns: ``ModelErrorClass/defect``.
  public func classify(_ error: any Error) -> ModelErrorClass { .defect }
}
