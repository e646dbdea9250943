/// The difference between a list of records and the previous one: inserted, updated, removed,
/// moved.
///
/// Records are identified by their ids, so that a changed record is an update and not a removal
/// with an insertion. Positions of removed records, and the start of a move, refer to the old list;
/// all others refer to the new one.
public struct ListDiff<R: GraphRecord>: ObservedDifference {
  /// The records that may differ.
  public typealias Record = R

  /// A record and its position.
  public struct Place: Sendable {
    /// The position in the list.
    public let position: Int
    /// The record.
    public let record: R

    @inlinable
    init(position: Int, record: R) { (self.position, self.record) = (position, record) }
  }

  /// A record that has moved relative to those that stayed.
  public struct Move: Sendable {
    /// The position in the old list.
    public let from: Int
    /// The position in the new list.
    public let to: Int
    /// The old value of the record.
    public let record: R
  }

  /// A record that has changed.
  public struct Update: Sendable {
    /// The position in the new list.
    public let position: Int
    /// The old value of the record.
    public let old: R
    /// The new value of the record.
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
  /// The removed records, in their order.
  public internal(set) var removed: [Place] = []
  /// The moved records: as few as possible, in their new order.
  public internal(set) var moved: [Move] = []

  @usableFromInline
  init(inserted: [Place] = [], updated: [Update] = []) {
    (self.inserted, self.updated) = (inserted, updated)
  }

  /// Whether there is no difference.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && removed.isEmpty && moved.isEmpty
  }

  /// Returns a list with the difference applied.
  ///
  /// 1. Removed and moved records are taken out.
  /// 2. Inserted and moved records are put at their new positions; the others fill the gaps in
  ///    their order.
  /// 3. Updated records are replaced.
  ///
  /// - Parameter list: The old list.
  /// - Returns: The new list.
  /// - Complexity: O(*n*) in the list.
  public func applying(to list: [R]) -> [R] {
    let leaving = Set(removed.map { $0.position }).union(moved.map { $0.from })
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
