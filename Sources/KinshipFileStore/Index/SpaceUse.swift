struct SpaceUse {
  struct Share {
    let segment: LogSegment
    var size: Int
    var hint = 0
    /// The bytes of its current entries.
    var live: Int
  }

  private(set) var shares: [UInt32: Share] = [:]
  private(set) var logged = 0
  private(set) var hints = 0
  /// The bytes of all current entries.
  private(set) var live = 0

  mutating func add(_ segment: LogSegment, size: Int) {
    shares[segment.number] = Share(segment: segment, size: size, live: 0)
    logged += size
  }

  /// Records that a segment has a hint.
  mutating func describe(_ number: UInt32, by size: Int) {
    guard let old = shares[number]?.hint else { return }
    shares[number]?.hint = size
    hints += size - old
  }

  mutating func remove(_ number: UInt32) {
    guard let share = shares.removeValue(forKey: number) else { return }
    logged -= share.size
    hints -= share.hint
    live -= share.live
  }

  mutating func grow(_ number: UInt32, by size: Int) {
    shares[number]?.size += size
    logged += size
  }

  var total: Int { logged + hints + LogMark.size }

  /// Counts an entry as current.
  mutating func use(_ position: Position) { use(Int(position.length), of: position.segment) }

  /// Counts an entry as outdated.
  mutating func release(_ position: Position) { use(-Int(position.length), of: position.segment) }

  mutating func use(_ length: Int, of segment: UInt32) {
    guard let index = shares.index(forKey: segment) else { return }
    shares.values[index].live += length
    live += length
  }
}
