extension Subcommand {
  static let build = Subcommand(
    name: "build", question: "What does each record type cost the program that declares it?",
    cases: [.buildTime, .buildSize])
}
