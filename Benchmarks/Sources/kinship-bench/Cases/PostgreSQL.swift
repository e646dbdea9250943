extension Subcommand {
  static let postgresql = Subcommand(
    name: "postgresql", question: "What does a PostgreSQL server behind the cache cost?",
    cases: [.serverRows, .serverCold, .serverFar, .serverChanges, .serverInserts, .serverCommit])
}
