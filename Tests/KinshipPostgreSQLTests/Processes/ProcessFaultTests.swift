#if PostgreSQL
  import Foundation
  import KinshipTestSupport
  import KinshipTestTraits
  import KinshipWorker
  import Testing
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport

  extension ProcessesTests {
    /// Faults of the server, the connections or the processes while several of them work: no
    /// process reports anything false, and all agree at the end.
    @Suite(.dedicatedThreads, .serialized, .tags(.lawP1, .lawP2, .lawP3))
    struct Faults {
      /// Lets a fleet work, causes a fault, and lets it work again.
      private func findings(
        workers: Int = 4, _ happening: (Fleet) async throws -> Void
      ) async throws -> Findings {
        let effort = try Effort()
        let fleet = try await Fleet(workers: workers, seed: effort.seed ?? .random(in: 0...9_999))
        try await fleet.work(3)
        try await happening(fleet)
        try await fleet.work(effort.operations(15))
        let findings = try await fleet.rest()
        findings.verify()
        return findings
      }

      /// Waits longer than the maximum age of memory.
      private func outlastTheBound() async throws {
        try await Task.sleep(for: .milliseconds(Fleet.staleness * 2))
      }

      /// The longest time without a read of the first worker: its memory was empty, and the
      /// database did not answer.
      private func longestSilence(_ findings: Findings) -> Int {
        let ends = findings.history.runs[0].reads.map(\.end).sorted()
        return zip(ends, ends.dropFirst()).map { $1 - $0 }.max() ?? 0
      }

      @Test(arguments: [SIGKILL, SIGINT, SIGQUIT])
      func `processes stay consistent when the server restarts`(signal: Int32) async throws {
        _ = try await findings { fleet in
          fleet.server.end(signal)
          try fleet.server.start()
        }
      }

      /// No stale record is served as current, and memory is emptied in time.
      @Test func `processes serve nothing stale when the server is long gone`() async throws {
        let findings = try await findings { fleet in
          fleet.server.end(SIGINT)
          try await outlastTheBound()
          try fleet.server.start()
        }
        #expect(longestSilence(findings) > Fleet.staleness * 500_000)
      }

      @Test func `processes stay consistent when a backend crashes`() async throws {
        _ = try await findings { fleet in
          // A backend that commits, if there is one: then its answer is lost.
          var all: [Int32] = []
          try await fleet.wait("a backend") { fleet in
            all = try fleet.backends("state = 'active'")
            return !all.isEmpty
          }
          kill(try #require(all.first), SIGKILL)
          try await fleet.wait("the server is back") { (try? $0.connect()) != nil }
        }
      }

      @Test func `processes stay consistent when all connections end`() async throws {
        _ = try await findings { fleet in
          for _ in 0..<5 {
            _ = try fleet.connect().query(
              """
              SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid()
              """)
            try await fleet.work(1)
          }
        }
      }

      /// Its queries get neither an answer nor a refusal for a while.
      @Test func `processes serve nothing stale when backends stall`() async throws {
        let findings = try await findings { fleet in
          var stopped: Set<Int32> = []
          defer { for backend in stopped { kill(backend, SIGCONT) } }
          let end = ContinuousClock.now + .milliseconds(Fleet.staleness * 2)
          // The connections opened meanwhile stop as well.
          try await fleet.wait("it is out of contact") { fleet in
            for backend in try fleet.backends("application_name = 'worker-0'") {
              kill(backend, SIGSTOP)
              stopped.insert(backend)
            }
            return ContinuousClock.now > end
          }
          #expect(!stopped.isEmpty)
        }
        #expect(longestSilence(findings) > Fleet.staleness * 500_000)
      }

      /// Its records in memory are old when it continues: it does not serve them as current, and
      /// drops them as soon as its timers run.
      @Test func `a process that was stopped serves nothing stale`() async throws {
        let findings = try await findings { fleet in
          for _ in 0..<(try Effort().operations(8)) {
            try await fleet.withStoppedWorker { try await outlastTheBound() }
          }
        }
        #expect(findings.history.runs.count { $0.held != nil } == 4)
      }

      /// The commit in progress was either made or not.
      @Test func `processes killed in a commit leave a consistent database`() async throws {
        let findings = try await findings(workers: 5) { fleet in
          for number in 0..<2 {
            try await fleet.wait("a commit") { fleet in
              try !fleet.backends(
                "application_name = 'worker-\(number)' AND state <> 'idle' AND query <> ''"
              ).isEmpty
            }
            fleet.workers[number].end()
          }
        }
        #expect(findings.history.runs.count { $0.held != nil } == 3)
      }

      /// A process that has not polled since does not know the changes, and drops everything.
      @Test func `a process behind a pruned log drops everything`() async throws {
        _ = try await findings { fleet in
          try await fleet.withStoppedWorker {
            let count = fleet.writer.count
            try await fleet.wait("others commit") { $0.writer.count > count + 10 }
            #expect(try fleet.connect().prune(olderThan: .zero) > 0)
          }
        }
      }

      @Test func `processes notice that the log was recreated`() async throws {
        _ = try await findings { fleet in
          let store = try await Tally.store(fleet.database.conninfo)
          for _ in 0..<(try Effort().operations(8)) {
            try fleet.execute("DROP SCHEMA kinship CASCADE")
            // It is logged nowhere.
            try await fleet.commit { _ in }
            try fleet.execute(store.trackingSQL)
            try await fleet.work(1)
          }
        }
      }

      /// Others commit transactions with higher numbers meanwhile.
      ///
      /// Its changes are seen all the same.
      @Test func `processes see commits beside a long transaction`() async throws {
        _ = try await findings { fleet in
          for _ in 0..<(try Effort().operations(8)) {
            try await fleet.commit { connection in
              // It has its number, and the others commit.
              _ = try connection.transactionNumber()
              try await fleet.work(2)
            }
          }
        }
      }

      /// They are logged as all of their type.
      ///
      /// Other changes are logged one by one.
      @Test func `processes follow a change of a hundred thousand records`() async throws {
        _ = try await findings { fleet in
          try fleet.execute(
            "INSERT INTO note SELECT id + 1000, 1, 0, 0 FROM generate_series(1, 100000) id")
          try await fleet.commit { connection in
            try connection.execute("UPDATE note SET stars = stars + 1 WHERE id > 1000")
          }
          try fleet.execute("DELETE FROM note WHERE id > 1000")
        }
      }
    }
  }
#endif
