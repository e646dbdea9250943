/// The contents of a file on a simulated disk, and the part that a loss of power may lose.
struct SimulatedFile {
  /// A change that may not be on the disk.
  private enum Change {
    case write([UInt8], at: Int)
    case truncate(to: Int)
  }

  /// A disk writes so many bytes completely, or not at all.
  private static let sectorSize = 512

  /// The contents that programs see.
  private(set) var bytes: [UInt8]
  /// The contents that are safely on the disk.
  private var synced: [UInt8]
  private var changes: [Change] = []

  init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
    synced = bytes
  }

  mutating func write(_ new: [UInt8], at offset: Int) {
    change(.write(new, at: offset))
  }

  mutating func truncate(to size: Int) { change(.truncate(to: size)) }

  mutating func sync() {
    for change in changes { Self.apply(change, to: &synced) }
    changes = []
  }

  /// Treats unwritten data as written, as systems do when a sync has failed.
  ///
  /// Programs still see it. It never reaches the disk, whatever a later sync says.
  mutating func failToSync() { changes = [] }

  private mutating func change(_ change: Change) {
    changes.append(change)
    Self.apply(change, to: &bytes)
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let new, let offset):
      resize(&bytes, to: max(bytes.count, offset + new.count))
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    case .truncate(let size): resize(&bytes, to: size)
    }
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count {
      bytes.removeSubrange(size...)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
  }

  /// The contents that may remain after a loss of power.
  ///
  /// Each sector, and the size, has its state after some of the changes: a sector may be there
  /// without the size, and the size without the sector, which then has zeros.
  func afterPowerLoss(_ style: PowerLoss, using generator: inout SplitMix64) -> [UInt8] {
    guard !changes.isEmpty else { return synced }
    // The contents after each number of changes.
    var states = [synced]
    for change in changes {
      var state = states[states.count - 1]
      Self.apply(change, to: &state)
      states.append(state)
    }
    let last = states.count - 1
    let common = Int.random(in: 0...last, using: &generator)
    func moment() -> Int {
      switch style {
      case .nothingLost: last
      case .everythingLost: 0
      case .prefix: common
      case .mixed: generator.chance(0.5) ? last : Int.random(in: 0...last, using: &generator)
      }
    }
    let size = states[moment()].count
    var left = [UInt8](repeating: 0, count: size)
    for start in stride(from: 0, to: size, by: Self.sectorSize) {
      let state = states[moment()]
      let end = min(start + Self.sectorSize, size, state.count)
      if start < end { left.replaceSubrange(start..<end, with: state[start..<end]) }
    }
    return left
  }
}

/// How much of the unsynced data a loss of power loses.
package enum PowerLoss: Hashable, CaseIterable, Sendable {
  /// Nothing: the system has written all of it in time.
  case nothingLost
  /// All of it.
  case everythingLost
  /// In each file, everything from some moment on.
  case prefix
  /// Any part of it: sectors, sizes and names, in any order.
  case mixed
}
