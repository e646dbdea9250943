package import Kinship

/// A file system in memory that can lose power.
///
/// Synced data is kept. A loss of power keeps any part of the unsynced contents and names: complete
/// sectors in any order, sizes without data and data without sizes. A rename is kept or lost as a
/// whole.
package final class SimulatedDisk: FileSystem {
  fileprivate let state: Lock<SimulatedVolume>

  /// Creates an empty disk.
  package convenience init() { self.init(SimulatedVolume()) }

  private init(_ volume: SimulatedVolume) { state = Lock(volume) }

  /// A possible disk after a loss of power at this moment.
  ///
  /// No file of it is open or locked.
  ///
  /// - Parameter seed: Decides which data is lost.
  /// - Returns: Another disk. This one stays as it is.
  package func afterPowerLoss(seed: UInt64) -> SimulatedDisk {
    var generator = SplitMix64(seed: seed)
    let style = PowerLoss.allCases.randomElement(using: &generator) ?? .mixed
    return SimulatedDisk(
      state.withLock { $0.afterPowerLoss(style, using: &generator) })
  }

  /// The disk after all programs have been killed: none of its files is open or locked.
  ///
  /// Unsynced data is included, and can still be lost with the power.
  package func copy() -> SimulatedDisk {
    var volume = state.withLock { $0 }
    volume.locked = []
    return SimulatedDisk(volume)
  }

  /// The files of a directory, by name, as programs see them.
  package func files(in directory: String) -> [String: [UInt8]] {
    state.withLock { $0.files(in: directory) }
  }

  /// Adds a file, as if it had always been there.
  package func put(_ bytes: [UInt8], _ name: String, in directory: String) {
    state.withLock { $0.put(bytes, name, in: directory) }
  }

  /// Removes a file, as if it had never been there.
  package func take(_ name: String, from directory: String) {
    state.withLock { $0.take(name, from: directory) }
  }

  package func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory {
    let isThere = state.withLock { $0.directories[path] != nil }
    guard isThere else { throw SystemError(.open, path, SystemErrorCode.missing) }
    return SimulatedDirectory(path: path, disk: self)
  }

  package func tryMakeDirectory(_ path: String) throws(SystemError) {
    let error = state.withLock { volume in
      if volume.directories[path] != nil { return SystemErrorCode.exists }
      guard volume.directories[parentPath(of: path)] != nil else { return SystemErrorCode.missing }
      volume.directories[path] = .init()
      return 0
    }
    if error != 0 { throw SystemError(.makeDirectory, path, error) }
  }

  package func tryRemoveDirectory(_ path: String) throws(SystemError) {
    let error = state.withLock { volume in
      guard let directory = volume.directories[path] else { return SystemErrorCode.missing }
      let isEmpty =
        directory.names.isEmpty && !volume.directories.keys.contains { parentPath(of: $0) == path }
      if isEmpty { volume.directories[path] = nil }
      return isEmpty ? 0 : SystemErrorCode.exists
    }
    if error != 0 { throw SystemError(.remove, path, error) }
  }

  /// The paths of all directories.
  package var directories: Set<String> { state.withLock { Set($0.directories.keys) } }
}

private final class SimulatedDirectory: Directory {
  let path: String
  let disk: SimulatedDisk

  init(path: String, disk: SimulatedDisk) {
    self.path = path
    self.disk = disk
  }

  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile {
    let found: Result<Int, SystemError> = disk.state.withLock { volume in
      if let number = volume.directories[path]?.names[name] {
        return mode == .create
          ? .failure(SystemError(.open, path + "/" + name, SystemErrorCode.exists))
          : .success(number)
      }
      guard mode == .create else {
        return .failure(SystemError(.open, path + "/" + name, SystemErrorCode.missing))
      }
      return .success(volume.create(name, in: path))
    }
    return SimulatedOpenFile(path: "\(path)/\(name)", number: try found.get(), disk: disk)
  }

  func tryRename(_ name: String, to other: String) throws(SystemError) {
    let isThere = disk.state.withLock { $0.rename(name, to: other, in: path) }
    if !isThere { throw SystemError(.rename, "\(path)/\(name)", SystemErrorCode.missing) }
  }

  func tryRemove(_ name: String) throws(SystemError) {
    let isThere = disk.state.withLock { $0.remove(name, in: path) }
    if !isThere { throw SystemError(.remove, "\(path)/\(name)", SystemErrorCode.missing) }
  }

  func tryList() throws(SystemError) -> [String] {
    disk.state.withLock { $0.directories[path]?.names.keys.sorted() ?? [] }
  }

  func trySync() throws(SystemError) { disk.state.withLock { $0.sync(path) } }

  func tryIsLink(_ name: String) throws(SystemError) -> Bool { false }
}

final class SimulatedOpenFile: OpenFile {
  let path: String
  private let number: Int
  private let disk: SimulatedDisk
  private let isLocking = Lock(false)

  init(path: String, number: Int, disk: SimulatedDisk) {
    self.path = path
    self.number = number
    self.disk = disk
  }

  deinit {
    if isLocking.withLock({ $0 }) {
      _ = disk.state.withLock { $0.locked.remove(number) }
    }
  }

  func tryRead(
    into bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    let all = disk.state.withLock { $0.contents[number]?.bytes ?? [] }
    guard offset < all.count else { return 0 }
    let part = all[offset..<min(all.count, offset + bytes.count)]
    bytes.copyBytes(from: part)
    return part.count
  }

  func tryWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    let copy = [UInt8](bytes)
    disk.state.withLock { $0.contents[number]?.write(copy, at: offset) }
    return copy.count
  }

  func trySync() throws(SystemError) { disk.state.withLock { $0.contents[number]?.sync() } }

  /// Has the effect of a failed sync.
  func failToSync() { disk.state.withLock { $0.contents[number]?.failToSync() } }

  func tryTruncate(to size: Int) throws(SystemError) {
    disk.state.withLock { $0.contents[number]?.truncate(to: size) }
  }

  func trySize() throws(SystemError) -> Int {
    disk.state.withLock { $0.contents[number]?.bytes.count ?? 0 }
  }

  func tryLock() throws(SystemError) -> Bool {
    let isMine = isLocking.withLock { $0 }
    let isFree = disk.state.withLock { $0.locked.insert(number).inserted }
    guard isMine || isFree else { return false }
    isLocking.withLock { $0 = true }
    return true
  }
}
