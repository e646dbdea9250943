internal import Kinship

/// Reads a log that another process may write, on a separate thread.
///
/// The log may change during a read: segments are removed, the end is cut off. So an error counts
/// only if the log is unchanged afterwards; otherwise the log is read again.
actor LogReader {
  private struct Following {
    let directory: any Directory
    let current: CurrentCatalog
    var log: FollowedLog
    /// The state of the log just before it was read.
    var signature: LogSignature
    /// Whether the whole log must be read again.
    var mustReload = false
  }

  private static let attempts = 100

  private let executor = SerialQueueExecutor(label: "Kinship.FileStore.LogReader")
  private let environment: LogEnvironment
  /// `nil` before it is opened, and after it is closed.
  private var following: Following?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ environment: LogEnvironment) { self.environment = environment }

  /// Reads the log, and returns the catalog, which later calls update, and the findings of opening.
  func open() throws(KinshipError) -> (CurrentCatalog, FileStoreReport) {
    do {
      let directory = try environment.files.openDirectory(environment.path)
      let ((log, catalog, report), signature) = try readConsistently(on: directory) {
        try load(in: directory)
      }
      let current = CurrentCatalog(catalog)
      following = Following(directory: directory, current: current, log: log, signature: signature)
      return (current, report)
    } catch {
      throw .of(error, path: environment.path)
    }
  }

  /// Reads the commits since the last read, and returns whether there were any.
  func refresh() throws(KinshipError) -> Bool {
    guard let following else { throw .misuse(.closed(path: environment.path)) }
    do { return try refresh(following) } catch { throw .of(error, path: environment.path) }
  }

  private func refresh(_ known: Following) throws -> Bool {
    if !known.mustReload, known.log.isAll(of: known.signature), try known.log.isThere(),
      try LogSignature(known.directory) == known.signature
    {
      return false
    }
    if !known.mustReload {
      let (step, signature) = try readConsistently(on: known.directory) {
        try known.log.step(in: known.directory, environment)
      }
      if let step {
        following?.mustReload = true
        try known.current.catalog.change { catalog throws(KinshipError) in
          try step.apply(to: &catalog)
        }
        following?.log = step.log
        following?.signature = signature
        following?.mustReload = false
        return !step.isEmpty
      }
    }
    let ((log, catalog, _), signature) = try readConsistently(on: known.directory) {
      try load(in: known.directory)
    }
    known.current.catalog = catalog
    following = Following(
      directory: known.directory, current: known.current, log: log, signature: signature)
    return true
  }

  /// All segments, the oldest first, and the catalog.
  func logged() throws(KinshipError) -> ([Log.SealedSegment], LockedCatalog) {
    guard let following else { throw .misuse(.closed(path: environment.path)) }
    return (following.log.segments, following.current.catalog)
  }

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

  /// Reads a log, again if it changes meanwhile, and returns its state just before.
  private func readConsistently<Result>(
    on directory: any Directory, _ body: () throws -> Result
  ) throws -> (Result, LogSignature) {
    var rest = Self.attempts
    while true {
      let signature = try LogSignature(directory)
      rest -= 1
      do {
        let result = try body()
        // If a new segment follows, the last one may end before the end of its file.
        if try rest == 0 || LogSignature(directory).numbers.last == signature.numbers.last {
          return (result, signature)
        }
      } catch {
        if try rest == 0 || LogSignature(directory) == signature { throw error }
      }
    }
  }
}

/// The state of a log at a moment: the bytes that differ after any commit.
struct LogSignature: Equatable {
  let numbers: [UInt32]
  private let mark: [UInt8]
  private let backup: [UInt8]
  /// The size of the last segment.
  let size: Int
  /// Its first bytes: a segment that was published again has another identity.
  private let beginning: [UInt8]

  init(_ directory: any Directory) throws(SystemError) {
    mark = try directory.bytes(of: SegmentName.mark) ?? []
    backup = try directory.bytes(of: SegmentName.backup) ?? []
    numbers = try directory.list().compactMap(SegmentName.logNumber).sorted()
    var (size, beginning) = (0, [UInt8]())
    if let last = numbers.last,
      let file = try directory.openIfPresent(SegmentName.log(last), .read)
    {
      size = try file.size()
      beginning = try file.readBytes(min(size, 128), at: 0)
    }
    (self.size, self.beginning) = (size, beginning)
  }
}
