/// The difference between a list of records, or of a view's rows, and the previous one: inserted,
/// updated, removed, moved.
///
/// Records are identified by their ids, and a row by its record, so that a change is an update and
/// not a removal with an insertion. A single record is a list of at most one. Positions of removed
/// elements, and the start of a move, refer to the old list; all others refer to the new one.
public struct ListDiff<Element: Sendable>: ObservedDifference {
  /// The records or rows that may differ.
  public typealias Record = Element

  /// A record or row, and its position.
  public struct Place: Sendable {
    /// The position in the list.
    public let position: Int
    /// The record or row.
    public let element: Element

    @inlinable
    init(position: Int, element: Element) { (self.position, self.element) = (position, element) }
  }

  /// A record or row that has moved relative to those that stayed.
  public struct Move: Sendable {
    /// The position in the old list.
    public let from: Int
    /// The position in the new list.
    public let to: Int
  }

  /// A record or row that has changed.
  public struct Update: Sendable {
    /// The position in the new list.
    public let position: Int
    /// The old value.
    public let old: Element
    /// The new value.
    public let new: Element

    @inlinable
    init(position: Int, old: Element, new: Element) {
      (self.position, self.old, self.new) = (position, old, new)
    }
  }

  /// The elements that are new, in their order.
  public internal(set) var inserted: [Place] = []
  /// The elements that have changed, in their order.
  public internal(set) var updated: [Update] = []
  /// The removed elements, in their order.
  public internal(set) var removed: [Place] = []
  /// The moved elements: as few as possible, in their new order.
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
  /// 1. Removed and moved elements are taken out.
  /// 2. Inserted and moved elements are put at their new positions; the others fill the gaps in
  ///    their order.
  /// 3. Updated elements are replaced.
  ///
  /// - Parameter list: The old list.
  /// - Returns: The new list.
  /// - Complexity: O(*n*) in the list.
  public func applying(to list: [Element]) -> [Element] {
    let leaving = Set(removed.map { $0.position }).union(moved.map { $0.from })
    var staying = list.indices.lazy.filter { !leaving.contains($0) }.makeIterator()
    var arriving: [Int: Element] = [:]
    for place in inserted { arriving[place.position] = place.element }
    for move in moved { arriving[move.to] = list[move.from] }
    var result: [Element] = []
    for position in 0..<(list.count - removed.count + inserted.count) {
      if let element = arriving[position] {
        result.append(element)
      } else if let old = staying.next() {
        result.append(list[old])
      }
    }
    for update in updated { result[update.position] = update.new }
    return result
  }
}
