import Foundation

/// Ends the process with a message unless a condition holds, optimized or not.
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if condition { return }
  let message = message()
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  preconditionFailure(message)
}
