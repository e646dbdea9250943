internal import Kinship

/// The one who reads a log that another may write, on a thread of its own.
///
/// What it reads may change meanwhile: segments are removed, the end is cut off. So an error counts
/// only if the log is found as it was before; otherwise all is read again.
actor LogReader {
  private struct Following {
    let directory: any Directory
    let current: CurrentCatalog
    var log: FollowedLog
    /// How the log was found just before it was read.
    var look: LogLook
    /// Whether all is to be read anew.
    var isDoubtful = false
  }

  /// How often a log is read that changes all the time.
  private static let attempts = 100

  private let executor = SerialQueueExecutor(label: "Kinship.FileStore.LogReader")
  private let environment: LogEnvironment
  /// `nil` before it is opened, and when it is closed.
  private var following: Following?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ environment: LogEnvironment) { self.environment = environment }

  /// Reads the log.
  ///
  /// - Returns: What is known of it, from now on, and what was found.
  /// - Throws: `KinshipError`.
  func open() throws(KinshipError) -> (CurrentCatalog, FileStoreReport) {
    do {
      let directory = try environment.files.openDirectory(environment.path)
      let ((log, catalog, report), look) = try insist(on: directory) { try load(in: directory) }
      let current = CurrentCatalog(catalog)
      following = Following(directory: directory, current: current, log: log, look: look)
      return (current, report)
    } catch {
      throw .of(error, path: environment.path)
    }
  }

  /// Takes in what was committed since.
  ///
  /// - Returns: Whether anything was.
  /// - Throws: `KinshipError`.
  func refresh() throws(KinshipError) -> Bool {
    guard let following else { throw .closed(path: environment.path) }
    do { return try refresh(following) } catch { throw .of(error, path: environment.path) }
  }

  private func refresh(_ known: Following) throws -> Bool {
    if !known.isDoubtful, known.log.isAll(of: known.look), try known.log.isThere(),
      try LogLook(known.directory) == known.look
    {
      return false
    }
    if !known.isDoubtful {
      let (step, look) = try insist(on: known.directory) {
        try known.log.step(in: known.directory, environment)
      }
      if let step {
        following?.isDoubtful = true
        try known.current.catalog.change { catalog throws(KinshipError) in
          try step.apply(to: &catalog)
        }
        following?.log = step.log
        following?.look = look
        following?.isDoubtful = false
        return !step.isEmpty
      }
    }
    let ((log, catalog, _), look) = try insist(on: known.directory) {
      try load(in: known.directory)
    }
    known.current.catalog = catalog
    following = Following(
      directory: known.directory, current: known.current, log: log, look: look)
    return true
  }

  /// All segments, the oldest first, and what is known of them.
  ///
  /// - Throws: `KinshipError`.
  func logged() throws(KinshipError) -> ([Log.SealedSegment], LockedCatalog) {
    guard let following else { throw .closed(path: environment.path) }
    return (following.log.segments, following.current.catalog)
  }

  /// Lets the log go.
  func close() {
    following?.current.catalog.change { $0.isClosed = true }
    following = nil
  }

  private func load(
    in directory: any Directory
  ) throws -> (FollowedLog, LockedCatalog, FileStoreReport) {
    let catalog = try LockedCatalog(environment.schema)
    var opening = LogOpening(environment, catalog)
    let log = try opening.follow(in: directory)
    return (log, catalog, opening.report)
  }

  /// Reads a log, again and again if it changes meanwhile.
  ///
  /// - Returns: What was read, and how the log was found just before.
  /// - Throws: What the closure throws.
  private func insist<Result>(
    on directory: any Directory, _ body: () throws -> Result
  ) throws -> (Result, LogLook) {
    var rest = Self.attempts
    while true {
      let look = try LogLook(directory)
      rest -= 1
      do {
        let result = try body()
        // With a segment after the last one, that one may end earlier than its file.
        if try rest == 0 || LogLook(directory).numbers.last == look.numbers.last {
          return (result, look)
        }
      } catch {
        if try rest == 0 || LogLook(directory) == look { throw error }
      }
    }
  }
}
