extension ListDiff where Element: GraphRecord {
  /// Compares two lists; a closure returns whether two values of one record differ.
  ///
  /// - Complexity: O(*n*) if the order is the same, O(*n* log *n*) if it is not.
  @inlinable
  init(from old: [Element], to new: [Element], isUpdate: (Element, Element) -> Bool) {
    if old.isEmpty {
      self.init(inserted: new.indices.map { Place(position: $0, element: new[$0]) })
    } else if old.count == new.count, old.indices.allSatisfy({ old[$0].id == new[$0].id }) {
      // Mostly no record was inserted, removed or moved.
      var updated: [Update] = []
      for position in new.indices where isUpdate(old[position], new[position]) {
        updated.append(Update(position: position, old: old[position], new: new[position]))
      }
      self.init(updated: updated)
    } else {
      self.init(matching: old, with: new, isUpdate: isUpdate)
    }
  }

  /// Compares two lists that do not have the same records in the same order.
  @usableFromInline
  init(matching old: [Element], with new: [Element], isUpdate: (Element, Element) -> Bool) {
    var places: [Occurrence: Int] = [:]
    for (position, key) in Occurrence.all(in: old).enumerated() { places[key] = position }
    /// The records of both lists, in the new order.
    var kept: [Displacement] = []
    for (position, key) in Occurrence.all(in: new).enumerated() {
      if let place = places.removeValue(forKey: key) {
        kept.append(Displacement(old: place, new: position))
        if isUpdate(old[place], new[position]) {
          updated.append(Update(position: position, old: old[place], new: new[position]))
        }
      } else {
        inserted.append(Place(position: position, element: new[position]))
      }
    }
    removed = places.values.sorted().map { Place(position: $0, element: old[$0]) }
    for index in Displacement.moved(kept) {
      moved.append(Move(from: kept[index].old, to: kept[index].new))
    }
  }

  /// Adds the moves of some records, if all others have stayed in their order.
  ///
  /// ``inserted`` and ``removed`` must be there.
  mutating func addMoves(of kept: [Displacement]) {
    let indices = Displacement.moved(
      kept, leaving: removed.map { $0.position }, arriving: inserted.map { $0.position })
    for index in indices { moved.append(Move(from: kept[index].old, to: kept[index].new)) }
  }

  /// An id and its occurrence in a list, because a list may name a record more than once.
  private struct Occurrence: Hashable {
    let id: Element.ID
    let number: Int

    static func all(in list: [Element]) -> [Occurrence] {
      var counts: [Element.ID: Int] = [:]
      return list.map { record in
        let number = counts[record.id, default: 0]
        counts[record.id] = number + 1
        return Occurrence(id: record.id, number: number)
      }
    }
  }
}
