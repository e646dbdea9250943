/// How much of the log is in use.
struct SpaceUse {
  /// A segment, and how much of it is in use.
  struct Share {
    let segment: LogSegment
    /// The size of its file, in bytes.
    var size: Int
    /// The size of its hint, in bytes.
    var hint = 0
    /// The bytes of its entries that are not outdated.
    var live: Int
  }

  private(set) var shares: [UInt32: Share] = [:]
  /// The size of all segments, in bytes.
  private(set) var logged = 0
  /// The size of all hints, in bytes.
  private(set) var hints = 0
  /// The bytes of the entries that are not outdated.
  private(set) var live = 0

  mutating func add(_ segment: LogSegment, size: Int) {
    shares[segment.number] = Share(segment: segment, size: size, live: 0)
    logged += size
  }

  /// Takes into account that a segment has a hint.
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

  /// The size of all files, in bytes.
  var total: Int { logged + hints + LogMark.size }

  /// Takes an entry into account.
  mutating func use(_ position: Position) { use(Int(position.length), of: position.segment) }

  /// Takes into account that an entry is outdated.
  mutating func release(_ position: Position) { use(-Int(position.length), of: position.segment) }

  /// Takes into account that so many more bytes of a segment are in use.
  mutating func use(_ length: Int, of segment: UInt32) {
    guard let index = shares.index(forKey: segment) else { return }
    shares.values[index].live += length
    live += length
  }
}
