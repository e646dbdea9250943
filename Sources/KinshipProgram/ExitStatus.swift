/// What a program tells its caller, after `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// The answer is no: nobody is called so, a command of the shell cannot be carried out, a file is
  /// damaged, two files differ.
  case notFound = 1
  /// The arguments are wrong.
  case usage = 64
  /// The file is not what it should be.
  case badData = 65
  /// The file cannot be read.
  case unreadable = 66
  /// The program itself is at fault.
  case software = 70
  /// A file cannot be written.
  case cannotWrite = 73
  /// The output cannot be written.
  case outputFailed = 74
}
