/// What a line of the shell asks for.
enum ShellCommand: Equatable {
  /// A person, with a pedigree to so many generations.
  case show(String, generations: Int?)
  case find(String)
  case rename(String, to: String)
  /// A child of a family, or of a person's family.
  case addChild(of: String, name: String, sex: Sex)
  /// What `delete` would do.
  case preview(String)
  case delete(String)
  case undo
  case redo
  case changes
  /// A pedigree to follow, to so many generations.
  case watch(String, generations: Int?)
  /// The answer to a question to follow.
  case watchAnswer(PersonQuestion)
  /// What to follow no longer; all of it if nothing is named.
  case unwatch(String?)
  /// Until others change what is followed, or for so many seconds.
  case wait(Int)
  case help
  case quit
}
