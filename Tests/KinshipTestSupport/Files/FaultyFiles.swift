package import Kinship

/// A file system that counts its calls, and makes some of them fail.
package final class FaultyFiles: FileSystem {
  /// Called before each call, without a lock.
  package typealias BeforeCall = @Sendable (FileCall) -> Void

  private let base: any FileSystem
  private let state = Lock(State())
  private let beforeCall: BeforeCall

  private struct State {
    var count = 0
    var failed = 0
    var fault: FileFault?
  }

  /// Wraps a file system.
  ///
  /// - Parameters:
  ///   - base: The file system for the calls that do not fail.
  ///   - fault: The fault, if any.
  ///   - beforeCall: Called before each call.
  package init(
    _ base: any FileSystem, fault: FileFault? = nil,
    beforeCall: @escaping BeforeCall = { _ in }
  ) {
    self.base = base
    self.beforeCall = beforeCall
    state.withLock { $0.fault = fault }
  }

  /// The fault, from the next call on.
  package var fault: FileFault? {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  /// How many calls there were.
  package var count: Int { state.withLock { $0.count } }

  /// How many calls went wrong.
  package var failed: Int { state.withLock { $0.failed } }

  package func tryOpenDirectory(_ path: String) throws(SystemError) -> any Directory {
    try fail(.open, path)
    return FaultyDirectory(try base.tryOpenDirectory(path), self)
  }

  package func tryMakeDirectory(_ path: String) throws(SystemError) {
    try fail(.makeDirectory, path)
    try base.tryMakeDirectory(path)
  }

  package func tryRemoveDirectory(_ path: String) throws(SystemError) {
    try fail(.remove, path)
    try base.tryRemoveDirectory(path)
  }

  /// Counts a call that can only fail completely.
  fileprivate func fail(
    _ operation: SystemError.Operation, _ path: String
  ) throws(SystemError) {
    switch next(operation, path) {
    case .error(let code), .errorAfterPart(let code): throw SystemError(operation, path, code)
    case .short, .nothing, nil: return
    }
  }

  /// Counts a call.
  ///
  /// - Returns: The fault, if any.
  fileprivate func next(_ operation: SystemError.Operation, _ path: String) -> FileFault.Kind? {
    let (number, kind) = state.withLock { state in
      state.count += 1
      let kind = state.fault.flatMap { $0.calls.contains(state.count) ? $0.kind : nil }
      if kind != nil { state.failed += 1 }
      return (state.count, kind)
    }
    beforeCall(FileCall(operation: operation, path: path, number: number))
    return kind
  }
}

private final class FaultyDirectory: Directory {
  private let base: any Directory
  private let faults: FaultyFiles

  init(_ base: any Directory, _ faults: FaultyFiles) {
    self.base = base
    self.faults = faults
  }

  var path: String { base.path }

  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile {
    try faults.fail(.open, "\(path)/\(name)")
    return FaultyFile(try base.tryOpen(name, mode), faults)
  }

  func tryRename(_ name: String, to other: String) throws(SystemError) {
    try faults.fail(.rename, "\(path)/\(name)")
    try base.tryRename(name, to: other)
  }

  func tryRemove(_ name: String) throws(SystemError) {
    try faults.fail(.remove, "\(path)/\(name)")
    try base.tryRemove(name)
  }

  func tryList() throws(SystemError) -> [String] {
    try faults.fail(.list, path)
    return try base.tryList()
  }

  func trySync() throws(SystemError) {
    try faults.fail(.sync, path)
    try base.trySync()
  }

  func tryIsLink(_ name: String) throws(SystemError) -> Bool {
    try faults.fail(.inspect, "\(path)/\(name)")
    return try base.tryIsLink(name)
  }
}

private final class FaultyFile: OpenFile {
  private let base: any OpenFile
  private let faults: FaultyFiles

  init(_ base: any OpenFile, _ faults: FaultyFiles) {
    self.base = base
    self.faults = faults
  }

  var path: String { base.path }

  func tryRead(
    into bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    switch faults.next(.read, path) {
    case .error(let code), .errorAfterPart(let code): throw SystemError(.read, path, code)
    case .short:
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<((bytes.count + 1) / 2)])
      return try base.tryRead(into: part, at: offset)
    case .nothing: return 0
    case nil: return try base.tryRead(into: bytes, at: offset)
    }
  }

  func tryWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    let part = UnsafeRawBufferPointer(rebasing: bytes[..<((bytes.count + 1) / 2)])
    switch faults.next(.write, path) {
    case .error(let code): throw SystemError(.write, path, code)
    case .errorAfterPart(let code):
      _ = try base.tryWrite(part, at: offset)
      throw SystemError(.write, path, code)
    case .short: return try base.tryWrite(part, at: offset)
    case .nothing: return 0
    case nil: return try base.tryWrite(bytes, at: offset)
    }
  }

  func trySync() throws(SystemError) {
    switch faults.next(.sync, path) {
    case .error(let code): throw SystemError(.sync, path, code)
    case .errorAfterPart(let code):
      (base as? SimulatedOpenFile)?.failToSync()
      throw SystemError(.sync, path, code)
    case .short, .nothing, nil: try base.trySync()
    }
  }

  func tryTruncate(to size: Int) throws(SystemError) {
    try faults.fail(.truncate, path)
    try base.tryTruncate(to: size)
  }

  func trySize() throws(SystemError) -> Int {
    try faults.fail(.inspect, path)
    return try base.trySize()
  }

  func tryLock() throws(SystemError) -> Bool {
    try faults.fail(.lock, path)
    return try base.tryLock()
  }
}
