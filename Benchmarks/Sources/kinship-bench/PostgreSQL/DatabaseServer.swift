import Foundation

/// A PostgreSQL server of the benchmarks, on a socket, which ends with this object.
final class DatabaseServer {
  let conninfo: String
  /// The folder of its socket.
  let socket: String
  private let folder: String
  private let command: [String]
  private var process = Process()

  struct Unavailable: Error, CustomStringConvertible {
    let description: String
  }

  /// The point at which a commit is acknowledged.
  enum Durability {
    /// At once.
    case none
    /// When it is synced to the disk.
    case synced
    /// The same, on a disk that takes so many milliseconds longer for each sync.
    case slow(Int)

    fileprivate var settings: [String] {
      switch self {
      case .none: ["-c", "fsync=off"]
      case .synced: ["-c", "fsync=on"]
      case .slow(let delay):
        ["-c", "fsync=on", "-c", "commit_delay=\(delay * 1_000)", "-c", "commit_siblings=0"]
      }
    }
  }

  init(_ durability: Durability = .none) throws {
    let roots = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let programs = roots.sorted().last.map { "/usr/lib/postgresql/\($0)/bin" } ?? "/usr/bin"
    guard FileManager.default.isExecutableFile(atPath: programs + "/initdb") else {
      throw Unavailable(description: "PostgreSQL is not installed: apt-get install postgresql")
    }
    // The path of a socket has about a hundred characters at most.
    let number = ProcessInfo.processInfo.processIdentifier
    folder = "/tmp/kinship-bench-\(number)-\(Int.random(in: 1...9_999))"
    socket = "\(folder)/socket"
    conninfo = "host=\(socket) user=owner dbname=postgres"
    // As root, the server refuses to run.
    let isRoot = geteuid() == 0
    let user = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []
    let owner = isRoot ? ["-o", "postgres", "-g", "postgres"] : []
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
    for (name, mode) in [("data", "700"), ("socket", "755")] {
      try Self.run(["install", "-d", "-m", mode] + owner + ["\(folder)/\(name)"])
    }
    try Self.run(
      user + [
        "\(programs)/initdb", "-D", "\(folder)/data", "-U", "owner", "-A", "trust", "-E", "UTF8",
        "--locale=C", "--no-sync",
      ])
    command =
      user + [
        "\(programs)/postgres", "-D", "\(folder)/data", "-c", "listen_addresses=", "-c",
        "unix_socket_directories=\(folder)/socket", "-c", "log_min_messages=fatal",
      ] + durability.settings
    _ = try start()
  }

  /// Kills the server, as if the power had failed.
  func crash() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts the server.
  ///
  /// - Returns: A session, the first one that the server has accepted.
  func start() throws -> LibpqSession {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      // After a crash, old processes may still hold the memory: then the new server ends at once.
      process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = command
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      while process.isRunning, ContinuousClock.now < deadline {
        if let session = try? LibpqSession(conninfo) { return session }
        usleep(2_000)
      }
      usleep(50_000)
    }
    throw Unavailable(description: "the server does not start")
  }

  deinit {
    process.interrupt()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func run(_ command: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Unavailable(description: "\(command[0]) ends with \(process.terminationStatus)")
    }
  }
}
