/// Why the program ends without success.
struct Failure: Error, Equatable {
  let status: ExitStatus
  let message: String
}
