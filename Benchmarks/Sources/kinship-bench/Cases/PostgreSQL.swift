extension Subcommand {
  static let postgresql = Subcommand(
    name: "postgresql", question: "What does a PostgreSQL server behind the cache cost?",
    cases: [
      .serverRows, .serverCold, .serverPersons, .serverFar, .serverFarPersons, .serverChanges,
      .serverInserts, .serverCommit, .serverCommitUnsynced, .serverWriters, .serverSlowWriters,
      .serverStaleness, .serverCoherence, .followingPeek, .followingResolve, .followingGraph,
    ])
}
