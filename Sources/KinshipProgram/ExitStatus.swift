/// The exit status of a program, after `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// The answer is negative: no person has that name, a command in the shell fails, a file is
  /// damaged, two files differ.
  case notFound = 1
  /// The arguments are wrong.
  case usage = 64
  /// The file has invalid contents.
  case badData = 65
  /// The file cannot be read.
  case unreadable = 66
  /// The program has an internal error.
  case software = 70
  /// A file cannot be written.
  case cannotWrite = 73
  /// The output cannot be written.
  case outputFailed = 74
}
