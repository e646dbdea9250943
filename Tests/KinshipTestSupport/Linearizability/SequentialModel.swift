/// The behaviour of an object with one caller at a time: the specification for checking concurrent
/// histories.
///
/// ```swift
/// struct Register: SequentialModel {
///   enum Operation { case read, write(Int) }
///   var value = 0
///
///   mutating func apply(_ operation: Operation) -> Int {
///     if case .write(let new) = operation { value = new }
///     return value
///   }
/// }
/// ```
public protocol SequentialModel: Hashable {
  /// An operation that a caller may call.
  associatedtype Operation

  /// The object's response.
  associatedtype Response: Equatable

  /// Performs an operation.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: The response that the object must give in this state.
  mutating func apply(_ operation: Operation) -> Response
}
