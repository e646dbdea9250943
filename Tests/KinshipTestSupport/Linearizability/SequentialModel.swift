/// What an object does when it is used by one caller at a time: the specification that concurrent
/// histories are checked against.
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
  /// What a caller asks for.
  associatedtype Operation

  /// What the object answers.
  associatedtype Response: Equatable

  /// Performs an operation.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: What the object must answer in this state.
  mutating func apply(_ operation: Operation) -> Response
}
