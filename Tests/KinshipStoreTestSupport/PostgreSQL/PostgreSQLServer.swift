#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipSQL
  @testable import KinshipPostgreSQL
  import Testing

  /// A PostgreSQL server for the tests, as long as they run.
  ///
  /// It listens only on a socket in its own folder, and its data is temporary.
  final class PostgreSQLServer: Sendable {
    /// The reason why there is no server.
    struct Unavailable: Error, CustomStringConvertible {
      let description: String
    }

    /// The server that all tests share, started by the first of them.
    static let shared = Result { try PostgreSQLServer() }

    /// The directory of PostgreSQL's programs; `nil` if it is not installed.
    static let programs: String? = {
      let root = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      let folders =
        versions.sorted { $0.localizedStandardCompare($1) == .orderedDescending }
        .map { "\(root)/\($0)/bin" }
        + ["/opt/homebrew/opt/postgresql@17/bin", "/usr/local/bin", "/usr/bin"]
      return folders.first {
        FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
          && FileManager.default.isExecutableFile(atPath: $0 + "/postgres")
      }
    }()

    static let isInstalled = programs != nil

    /// The prefix of a command, because the server refuses to run as root.
    private static let prefix =
      geteuid() == 0
      ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []

    let folder: String
    private let process: Lock<Process>
    private let lastDatabase = Lock(0)

    /// Makes a server and starts it.
    ///
    /// - Parameter primary: The server that it replicates, as a standby; `nil` for a primary.
    /// - Throws: `Unavailable`, and any error of the first connection.
    init(copying primary: PostgreSQLServer? = nil) throws {
      guard let programs = Self.programs else {
        throw Unavailable(description: "PostgreSQL is not installed")
      }
      // The path of a socket may have about a hundred characters.
      let number = String(UInt32.random(in: 0 ... .max), radix: 36)
      let folder = "/tmp/kpg-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
      self.folder = folder
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
      let owner = Self.prefix.isEmpty ? [] : ["-o", "postgres", "-g", "postgres"]
      for (name, mode) in [("data", "700"), ("socket", "755")] {
        try Self.run(["/usr/bin/install", "-d"] + owner + ["-m", mode, "\(folder)/\(name)"])
      }
      if let primary {
        try Self.run(
          Self.prefix + [
            "\(programs)/pg_basebackup", "-D", "\(folder)/data", "-d", primary.conninfo(), "-R",
            "--no-sync", "-c", "fast",
          ])
      } else {
        try Self.run(
          Self.prefix + [
            "\(programs)/initdb", "-D", "\(folder)/data", "-U", "owner", "-A", "trust", "-E",
            "UTF8", "--locale=C", "--no-sync",
          ])
      }
      process = Lock(try Self.start(programs, folder))
      try awaitReady()
      Self.stopAtExit(process.withLock { $0.processIdentifier }, folder)
    }

    private static func start(_ programs: String, _ folder: String) throws -> Process {
      // The server ends with the process of the tests.
      let prefix = prefix.isEmpty ? [] : prefix + ["--pdeathsig", "INT"]
      let command =
        prefix + [
          "\(programs)/postgres", "-D", "\(folder)/data", "-c", "listen_addresses=", "-c",
          "unix_socket_directories=\(folder)/socket", "-c", "fsync=off", "-c",
          "max_connections=1000", "-c", "log_min_messages=fatal",
        ]
      let process = Process()
      process.executableURL = URL(filePath: command[0])
      process.arguments = Array(command.dropFirst())
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      let started = DispatchSemaphore(value: 0)
      let failure = Failure()
      // The server ends with the thread that has started it, so the thread must not end before.
      Thread.detachNewThread {
        do { try process.run() } catch { failure.error.withLock { $0 = error } }
        started.signal()
        if failure.error.withLock({ $0 }) == nil { process.waitUntilExit() }
      }
      started.wait()
      if let error = failure.error.withLock({ $0 }) { throw error }
      return process
    }

    private final class Failure: Sendable {
      let error = Lock<(any Error)?>(nil)
    }

    private func awaitReady() throws {
      while process.withLock({ $0.isRunning }) {
        if (try? Connection(ConnectionSettings(conninfo: conninfo()), types: TypeCatalog())) != nil
        {
          return
        }
        usleep(50_000)
      }
      throw Unavailable(description: "The server ended before it took a connection.")
    }

    /// At the end the server is stopped at once, and its folder deleted.
    private static func stopAtExit(_ process: Int32, _ folder: String) {
      leftovers.withLock { $0.append((process, folder)) }
      atexit {
        for (process, folder) in PostgreSQLServer.leftovers.withLock({ $0 }) {
          kill(process, SIGQUIT)
          // It writes there until it has ended. The wait is a second at most.
          for _ in 0..<100 where kill(process, 0) == 0 { usleep(10_000) }
          try? FileManager.default.removeItem(atPath: folder)
        }
      }
    }

    private static let leftovers = Lock<[(Int32, String)]>([])

    /// Stops the server at once, and deletes its data.
    func stop() {
      end(SIGQUIT)
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// Ends the server by a signal: SIGINT ends its work in order, SIGQUIT at once, and SIGKILL is
    /// a crash.
    func end(_ signal: Int32) {
      process.withLock { process in
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
      }
    }

    /// Starts the server again.
    func start() throws {
      while true {
        let started = try Self.start(Self.programs ?? "", folder)
        process.withLock { $0 = started }
        Self.stopAtExit(started.processIdentifier, folder)
        // After a crash, a remaining process may still have the server's memory.
        while started.isRunning {
          if (try? Connection(ConnectionSettings(conninfo: conninfo()), types: TypeCatalog()))
            != nil
          {
            return
          }
          usleep(20_000)
        }
        usleep(50_000)
      }
    }

    private static func run(_ command: [String]) throws {
      let process = Process()
      process.executableURL = URL(filePath: command[0])
      process.arguments = Array(command.dropFirst())
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Unavailable(
          description: "\(command.joined(separator: " ")) ends with \(process.terminationStatus)")
      }
    }

    /// The connection string of a database of the server.
    func conninfo(_ database: String = "postgres") -> String {
      "host=\(folder)/socket user=owner dbname=\(database)"
    }

    /// Creates a database that no other test uses.
    func database() throws -> TestDatabase {
      let name = lastDatabase.withLock { last in
        last += 1
        return "test\(last)"
      }
      let connection = try Connection(
        ConnectionSettings(conninfo: conninfo()), types: TypeCatalog())
      try connection.execute("CREATE DATABASE \(name)")
      return TestDatabase(server: self, name: name)
    }
  }

  /// A database of one test, dropped when this object is released.
  final class TestDatabase: Sendable {
    let server: PostgreSQLServer
    let name: String

    init(server: PostgreSQLServer, name: String) {
      self.server = server
      self.name = name
    }

    /// A new database on the server that all tests share.
    static func make() throws -> TestDatabase { try PostgreSQLServer.shared.get().database() }

    deinit {
      let connection = try? Connection(
        ConnectionSettings(conninfo: server.conninfo()), types: TypeCatalog())
      try? connection?.execute("DROP DATABASE \(name) WITH (FORCE)")
    }

    var conninfo: String { server.conninfo(name) }

    func settings(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ConnectionSettings {
      var settings = ConnectionSettings(conninfo: conninfo)
      change(&settings)
      return settings
    }

    /// A connection to it.
    func connect(_ change: (inout ConnectionSettings) -> Void = { _ in }) throws -> Connection {
      try Connection(settings(change), types: TypeCatalog())
    }

    /// Connections to it.
    func pool(
      _ count: Int, timeout: Duration = .seconds(30),
      _ change: (inout ConnectionSettings) -> Void = { _ in }
    ) -> ConnectionPool<Server> {
      let types = TypeCatalog()
      let settings = settings(change)
      return ConnectionPool(
        (0..<count).map { _ in Server(settings, types: types) }, timeout: timeout)
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Skips a test, with the reason, if no server is installed.
    static var needsServer: Self {
      .enabled(
        if: PostgreSQLServer.isInstalled, "no PostgreSQL server is installed on this machine")
    }
  }

  extension Rows {
    /// All values.
    func values() throws -> [[SQLValue]] {
      try (0..<count).map { row in
        try columns.indices.map { try value(row, $0) }
      }
    }

    /// The text of the first value.
    func text() -> String? { count == 0 ? nil : PostgreSQLCells(self).text(at: 0) }

    /// The integer that is the first value.
    func integer() -> Int64? { count == 0 ? nil : PostgreSQLCells(self).integer(at: 0) }
  }

  extension Connection {
    /// Returns the number of the open transaction.
    func transactionNumber() throws -> UInt64 {
      UInt64(clamping: try query("SELECT pg_current_xact_id()::text::int8").integer() ?? 0)
    }
  }
#endif
