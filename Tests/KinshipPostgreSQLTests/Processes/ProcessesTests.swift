#if PostgreSQL
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport

  /// Several processes, each with a cache, and a writer without Kinship, over one database.
  @Suite(.dedicatedThreads, .needsServer, .serialized, .tags(.lawP1, .lawP2, .lawP4))
  struct ProcessesTests {
    /// No read is older than the bound, nor than the process's own writes.
    ///
    /// No commit is lost, and only one of two writers of one version wins.
    @Test func `processes on one database agree`() async throws {
      let effort = try Effort()
      let fleet = try await Fleet(workers: 5, seed: effort.seed ?? .random(in: 0...9_999))
      try await fleet.work(effort.operations(100))
      let findings = try await fleet.rest()
      findings.verify()
      #expect(findings.conflicts > 0, "nobody met anybody")
      #expect(
        findings.history.runs.count { $0.commits.contains { $0.outcome == .made } } == 6)
    }
  }
#endif
