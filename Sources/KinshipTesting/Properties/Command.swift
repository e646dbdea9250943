/// One random operation of a property, as a value that can be kept, printed and shrunk.
///
/// ```swift
/// enum Operation: Command {
///   case put(Int)
///   case evict
///
///   var shrunk: [Operation] {
///     switch self {
///     case .put(let id): id.shrunk.map(Operation.put)
///     case .evict: []
///     }
///   }
/// }
/// ```
///
/// A failure prints its commands with `String(describing:)`, which writes an enum as in source
/// code. A command must make sense at any position, because shrinking drops commands before it.
package protocol Command: Sendable {
  /// Simpler commands to try instead of this one, the simplest first.
  ///
  /// Each must be closer to the simplest command, so that shrinking ends. The default is none.
  var shrunk: [Self] { get }
}

extension Command {
  /// No simpler commands.
  package var shrunk: [Self] { [] }
}
