import Foundation

/// Ends the process unless something holds, and says why, optimized or not.
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if condition { return }
  let message = message()
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  preconditionFailure(message)
}
