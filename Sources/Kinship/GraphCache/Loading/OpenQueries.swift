/// The queries that the store is answering, and the records that change meanwhile.
///
/// A store's answer shows some moment after the request. Records that have changed since the
/// request are read again from memory, so that the whole answer is of one version.
struct OpenQueries {
  /// The changes since a query began, or since they were last taken.
  struct Changes {
    var ids: [IDs] = []
    /// Whether any record may have changed.
    var isAll = false
  }

  /// The number of an open query.
  struct Number: Hashable { fileprivate let value: UInt64 }

  private var entries: [(number: Number, type: TypeNumber, changes: Changes)] = []
  private var last: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Opens a query: from now on, it records the changes of a type.
  mutating func open(_ type: TypeNumber) -> Number {
    last += 1
    let number = Number(value: last)
    entries.append((number, type, Changes()))
    return number
  }

  mutating func close(_ number: Number) { entries.removeAll { $0.number == number } }

  /// Records changes for all open queries of their type except the one that has made them.
  mutating func recordChange(_ ids: IDs, by maker: Number?) {
    for index in entries.indices
    where entries[index].type == ids.type && entries[index].number != maker {
      entries[index].changes.ids.append(ids)
    }
  }

  /// Records that every record may have changed.
  mutating func recordChangeOfAll() {
    for index in entries.indices { entries[index].changes.isAll = true }
  }

  /// Takes the changes since the query began, or since the last call.
  mutating func takeChanges(_ number: Number) -> Changes {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return Changes() }
    defer { entries[index].changes = Changes() }
    return entries[index].changes
  }
}
