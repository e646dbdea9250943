/// The positions of staged values in the order of their changes.
///
/// Usually each value changes once, in the order in which they were staged: then only their number
/// is kept.
@usableFromInline
struct StagedLog: Sendable {
  /// The number of first changes that are of the values 0, 1, 2 and so on.
  private var plainCount = 0
  /// The positions of all after them.
  private var others: ContiguousArray<Int> = []

  @usableFromInline init() {}

  var count: Int { plainCount + others.count }

  subscript(number: Int) -> Int {
    number < plainCount ? number : others[number - plainCount]
  }

  @usableFromInline
  mutating func append(_ position: Int) {
    if others.isEmpty, position == plainCount {
      plainCount += 1
    } else {
      others.append(position)
    }
  }

  /// Reserves room for so many more, in any order.
  mutating func makeRoom(for count: Int) { others.reserveCapacity(others.count + count) }
}
