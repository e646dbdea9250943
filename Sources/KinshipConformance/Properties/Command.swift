/// One random operation of a property: what to do, as a value that can be kept, printed and shrunk.
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
/// A failure prints its commands with `String(describing:)`, which writes an enum as one writes it
/// in source. A command should make sense wherever it stands, for shrinking drops those before it.
package protocol Command: Sendable {
  /// Simpler commands to try in place of this one, the simplest first.
  ///
  /// Each must be closer to the simplest command, so that shrinking ends. The default is none.
  var shrunk: [Self] { get }
}

extension Command {
  /// Nothing simpler.
  package var shrunk: [Self] { [] }
}
