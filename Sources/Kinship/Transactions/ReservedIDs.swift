/// The ids that the store has reserved for a write's new records.
///
/// The closure of a write may run more than once: each time it gets the same ones.
@usableFromInline
final class ReservedIDs: Sendable {
  /// Ids of a type, and the number of the first ones that were handed out.
  typealias List = (ids: IDs, given: Int)

  private let lists: Lock<[TypeNumber: List]>

  init(_ lists: [TypeNumber: List] = [:]) { self.lists = Lock(lists) }

  /// Starts again with the first ones.
  func rewind() {
    lists.withLock { lists in for type in lists.keys { lists[type]?.given = 0 } }
  }

  /// Returns the next id of a type; `nil` if more must be reserved.
  @usableFromInline
  func next<R: GraphRecord>(_ number: TypeNumber, of type: R.Type) -> R.ID? {
    lists.withLock { lists in
      guard let list = lists[number], list.given < list.ids.count else { return nil }
      lists[number]?.given += 1
      return list.ids.of(type)[list.given]
    }
  }

  func count(of number: TypeNumber) -> Int { lists.withLock { $0[number]?.ids.count ?? 0 } }

  func add<R: GraphRecord>(_ ids: [R.ID], _ number: TypeNumber, of type: R.Type) {
    lists.withLock { lists in
      let known = lists[number] ?? (IDs([R.ID](), of: number), 0)
      lists[number] = (IDs(known.ids.of(type) + ids, of: number), known.given)
    }
  }

  /// Drops the ids of a type, if a ref has one that was handed out.
  ///
  /// - Returns: Whether it has.
  func drop(ifGiven ref: AnyRef, _ number: TypeNumber) -> Bool {
    func isGiven<R: GraphRecord>(_ type: R.Type, _ list: List) -> Bool {
      guard let ref = ref.as(type) else { return false }
      return list.ids.of(type).prefix(list.given).contains(ref.id)
    }
    return lists.withLock { lists in
      guard let list = lists[number], isGiven(ref.type, list) else { return false }
      lists[number] = nil
      return true
    }
  }

  /// Removes and returns the ids that were not handed out.
  func takeSpare<R: GraphRecord>(_ number: TypeNumber, of type: R.Type) -> List? {
    lists.withLock { lists in
      guard let list = lists[number], list.given < list.ids.count else { return nil }
      // Most writes use none: nothing is copied for them.
      if list.given == 0 { return lists.removeValue(forKey: number) }
      let ids = list.ids.of(type)
      lists[number] = (IDs(Array(ids[..<list.given]), of: number), list.given)
      return (IDs(Array(ids[list.given...]), of: number), 0)
    }
  }

  var types: [TypeNumber] { lists.withLock { Array($0.keys) } }
}
