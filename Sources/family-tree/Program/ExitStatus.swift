/// What the program tells its caller, after `sysexits.h`.
enum ExitStatus: Int32 {
  case success = 0
  /// Nobody is called so, or a command of the shell cannot be carried out.
  case notFound = 1
  /// The arguments are wrong.
  case usage = 64
  /// The file is not GEDCOM.
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
