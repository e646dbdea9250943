import Kinship

/// The contents of a simulated disk: files by number, and their names.
struct SimulatedVolume {
  struct Names {
    /// A change that may not be on the disk.
    enum Change {
      case link(String, Int)
      case unlink(String)
      case rename(String, Int, to: String)
    }

    /// The names that programs see.
    var names: [String: Int] = [:]
    /// The names that are safely on the disk.
    var synced: [String: Int] = [:]
    var changes: [Change] = []
    /// Whether the directory itself is safely on the disk.
    var isSynced = false

    mutating func change(_ change: Change) {
      changes.append(change)
      Self.apply(change, to: &names)
    }

    static func apply(_ change: Change, to names: inout [String: Int]) {
      switch change {
      case .link(let name, let file): names[name] = file
      case .unlink(let name): names[name] = nil
      case .rename(let name, let file, let other):
        if names[name] == file { names[name] = nil }
        names[other] = file
      }
    }

    /// The possible names after a loss of power.
    func afterPowerLoss(
      _ style: PowerLoss, using generator: inout SplitMix64
    ) -> [String: Int] {
      let kept: ArraySlice<Change> =
        switch style {
        case .nothingLost: changes[...]
        case .everythingLost: []
        case .prefix: changes.prefix(Int.random(in: 0...changes.count, using: &generator))
        case .mixed: changes.filter { _ in generator.chance(0.5) }[...]
        }
      return kept.reduce(into: synced) { Self.apply($1, to: &$0) }
    }
  }

  var contents: [Int: SimulatedFile] = [:]
  var directories: [String: Names] = ["/": Names()]
  var locked: Set<Int> = []
  private var created = 0

  /// Creates an empty file.
  mutating func create(_ name: String, in directory: String) -> Int {
    created += 1
    contents[created] = SimulatedFile()
    directories[directory]?.change(.link(name, created))
    return created
  }

  /// Gives a file or a directory another name.
  ///
  /// - Returns: Whether the file exists; for a directory also, whether the other name is free.
  mutating func rename(_ name: String, to other: String, in directory: String) -> Bool {
    let parent = directory == "/" ? "" : directory
    if var child = directories["\(parent)/\(name)"] {
      guard directories["\(parent)/\(other)"] == nil else { return false }
      child.isSynced = false
      directories["\(parent)/\(name)"] = nil
      directories["\(parent)/\(other)"] = child
      return true
    }
    guard let file = directories[directory]?.names[name] else { return false }
    directories[directory]?.change(.rename(name, file, to: other))
    return true
  }

  /// Removes a file.
  ///
  /// A program that has it open can continue to use it.
  ///
  /// - Returns: Whether there is one.
  mutating func remove(_ name: String, in directory: String) -> Bool {
    guard directories[directory]?.names[name] != nil else { return false }
    directories[directory]?.change(.unlink(name))
    return true
  }

  /// Syncs the names in a directory, including those of directories.
  mutating func sync(_ path: String) {
    guard var directory = directories[path] else { return }
    directory.synced = directory.names
    directory.changes = []
    directories[path] = directory
    for child in directories.keys where parentPath(of: child) == path {
      directories[child]?.isSynced = true
    }
  }

  func files(in directory: String) -> [String: [UInt8]] {
    (directories[directory]?.names ?? [:]).mapValues { contents[$0]?.bytes ?? [] }
  }

  mutating func put(_ bytes: [UInt8], _ name: String, in directory: String) {
    created += 1
    contents[created] = SimulatedFile(bytes)
    directories[directory, default: Names(isSynced: true)].names[name] = created
    directories[directory]?.synced[name] = created
  }

  mutating func take(_ name: String, from directory: String) {
    directories[directory]?.names[name] = nil
    directories[directory]?.synced[name] = nil
  }

  /// The volume that may remain after a loss of power.
  func afterPowerLoss(
    _ style: PowerLoss, using generator: inout SplitMix64
  ) -> SimulatedVolume {
    var left = SimulatedVolume()
    left.created = created
    // In a fixed order, so that a seed replays.
    for (path, directory) in directories.sorted(by: { $0.key < $1.key }) {
      let isLost = path != "/" && !directory.isSynced
      if isLost, style == .everythingLost || (style != .nothingLost && generator.chance(0.5)) {
        continue
      }
      let names = directory.afterPowerLoss(style, using: &generator)
      left.directories[path] = Names(names: names, synced: names, isSynced: true)
      for (_, file) in names.sorted(by: { $0.key < $1.key }) {
        guard left.contents[file] == nil, let content = contents[file] else { continue }
        left.contents[file] = SimulatedFile(
          content.afterPowerLoss(style, using: &generator))
      }
    }
    return left
  }
}
