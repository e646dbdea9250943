/// How a list of records differs from the one shown before: inserted, updated, removed, moved.
///
/// A record is told from another by its id, so that a changed record is an update and not a removal
/// with an insertion. Positions of what was removed, and where a move begins, are those of the list
/// before; all others are those of the list as it is.
public struct ListDiff<R: GraphRecord>: Sendable {
  /// A record and where it stands.
  public struct Place: Sendable {
    /// The position in the list.
    public let position: Int
    /// The record.
    public let record: R

    @inlinable
    init(position: Int, record: R) { (self.position, self.record) = (position, record) }
  }

  /// A record that stands elsewhere among those that stayed.
  public struct Move: Sendable {
    /// The position in the list before.
    public let from: Int
    /// The position in the list as it is.
    public let to: Int
    /// The record as it was.
    public let record: R
  }

  /// A record that has changed.
  public struct Update: Sendable {
    /// The position in the list as it is.
    public let position: Int
    /// The record as it was.
    public let old: R
    /// The record as it is.
    public let new: R

    @inlinable
    init(position: Int, old: R, new: R) {
      (self.position, self.old, self.new) = (position, old, new)
    }
  }

  /// The records that are new, in their order.
  public internal(set) var inserted: [Place] = []
  /// The records that have changed, in their order.
  public internal(set) var updated: [Update] = []
  /// The records that are there no longer, in their order.
  public internal(set) var removed: [Place] = []
  /// The records that stand elsewhere: as few as possible, in their new order.
  public internal(set) var moved: [Move] = []

  @usableFromInline
  init(inserted: [Place] = [], updated: [Update] = []) {
    (self.inserted, self.updated) = (inserted, updated)
  }

  /// Whether there is no difference.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && removed.isEmpty && moved.isEmpty
  }

  /// Makes the difference to a list.
  ///
  /// 1. What was removed or has moved is taken out.
  /// 2. What was inserted or has moved is put where it stands now; the others fill the gaps in
  ///    their order.
  /// 3. What has changed is replaced.
  ///
  /// - Parameter list: The list shown before.
  /// - Returns: The list as it is.
  /// - Complexity: O(*n*) in the list.
  public func applying(to list: [R]) -> [R] {
    let leaving = Set(removed.map(\.position)).union(moved.map(\.from))
    var staying = list.indices.lazy.filter { !leaving.contains($0) }.makeIterator()
    var arriving: [Int: R] = [:]
    for place in inserted { arriving[place.position] = place.record }
    for move in moved { arriving[move.to] = move.record }
    var result: [R] = []
    for position in 0..<(list.count - removed.count + inserted.count) {
      if let record = arriving[position] {
        result.append(record)
      } else if let old = staying.next() {
        result.append(list[old])
      }
    }
    for update in updated { result[update.position] = update.new }
    return result
  }
}
