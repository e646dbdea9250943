/// Ids of one type that is known here by its number.
@usableFromInline
package struct IDs: Sendable {
  @usableFromInline let type: TypeNumber
  @usableFromInline let count: Int
  @usableFromInline let list: any Sendable

  @inlinable
  init<ID: Hashable & Sendable>(_ list: [ID], of type: TypeNumber) {
    self.type = type
    self.list = list
    count = list.count
  }

  var isEmpty: Bool { count == 0 }

  /// Returns the ids, for callers that know the type.
  @inlinable
  func of<Element: Cacheable>(_ type: Element.Type) -> [Element.ID] {
    checked(list, as: [Element.ID].self)
  }
}

extension Cacheable {
  /// Returns the ids in chunks, each for one hold of a lock.
  static func chunks(of ids: IDs, size: Int = Chunk.size) -> [IDs] {
    if ids.count <= size { return [ids] }
    let list = ids.of(Self.self)
    return Chunk.ranges(list.count, of: size).map { IDs(Array(list[$0]), of: ids.type) }
  }

  /// Returns the ids at some positions.
  static func ids(of ids: IDs, at positions: [Int]) -> IDs {
    let list = ids.of(Self.self)
    return IDs(positions.map { list[$0] }, of: ids.type)
  }

  /// The ids of several lists, one after another.
  static func joined(_ lists: [IDs], of type: TypeNumber) -> IDs {
    lists.count == 1 ? lists[0] : IDs(lists.flatMap { $0.of(Self.self) }, of: type)
  }

  /// The ids of several lists, each once.
  static func distinct(_ lists: [IDs], of type: TypeNumber) -> IDs {
    var seen: Set<ID> = []
    return IDs(lists.flatMap { $0.of(Self.self) }.filter { seen.insert($0).inserted }, of: type)
  }
}

extension [IDs] {
  /// The lists of each type, in the order of the schema.
  var byType: [(type: TypeNumber, lists: [IDs])] {
    Dictionary(grouping: self, by: \.type).sorted { $0.key < $1.key }
      .map { (type: $0.key, lists: $0.value) }
  }
}
