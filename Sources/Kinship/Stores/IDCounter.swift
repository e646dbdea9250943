#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Chooses ids of new records, for a store that knows all existing ids: the integers after the
/// largest one, each once as long as the store is open, or random UUIDs.
package final class IDCounter: Sendable {
  /// By type: the last integer that was chosen, or the largest that there was.
  private let last = Lock<[ObjectIdentifier: any Sendable]>([:])

  package init() {}

  /// Chooses ids; fewer than wanted if there are no more.
  ///
  /// `known` returns the existing ids, and is called once for each type. `isTaken` returns whether
  /// a record has an id by now.
  ///
  /// - Throws: `KinshipError.misuse(.unsupported)` with the name of the store for ids that are
  ///   neither integers nor UUIDs, or if there is none left, and the errors of the closures.
  /// - Complexity: O(*n*) in the existing ids the first time, then O(1) for each.
  package func next<R: GraphRecord>(
    _ type: R.Type, count: Int, in store: String, known: () throws(KinshipError) -> [R.ID],
    isTaken: (R.ID) throws(KinshipError) -> Bool
  ) throws(KinshipError) -> [R.ID] {
    func integers<I: FixedWidthInteger & Sendable>(_: I.Type) throws(KinshipError) -> [R.ID] {
      let key = ObjectIdentifier(type)
      if last.withLock({ $0[key] == nil }) {
        let largest = max(checked(try known(), as: [I].self).max() ?? 0, 0)
        last.withLock { $0[key] = $0[key] ?? largest }
      }
      return try last.withLock { last throws(KinshipError) in
        var (ids, id): ([R.ID], I) = ([], last[key].map { checked($0, as: I.self) } ?? 0)
        while ids.count < count, id < .max {
          id += 1
          let next = checked(id, as: R.ID.self)
          if !(try isTaken(next)) { ids.append(next) }
        }
        last[key] = id
        return ids
      }
    }
    var ids: [R.ID] = []
    if let integer = R.ID.self as? any (FixedWidthInteger & Sendable).Type {
      ids = try integers(integer)
    } else if R.ID.self == UUID.self {
      ids = (0..<count).map { _ in checked(UUID(), as: R.ID.self) }
    }
    if ids.isEmpty {
      throw .misuse(.unsupported(store: store, operation: "new ids of \(R.recordName)"))
    }
    return ids
  }
}
