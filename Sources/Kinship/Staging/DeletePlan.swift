/// The consequences of deletions by the delete rules: it grows wave by wave until nothing is added.
struct DeletePlan: Sendable {
  /// A ref that forbids a deletion, as long as its holder stays.
  struct Denial: Sendable {
    let edge: EdgeID
    /// The one record whose ref forbids it.
    let record: IDs
    /// The one record that therefore cannot be deleted.
    let deleted: IDs
  }

  /// By type: the ids to delete, as `OrderedIDs`.
  private(set) var deletions = ErasedValues<TypeNumber>()
  /// By relationship: the ids of the records that lose refs, as `OrderedIDs` of the source's ids.
  private(set) var detached = ErasedValues<EdgeID>()
  /// The ids whose rules have not been followed yet.
  private var wave: [TypeNumber: IDs] = [:]
  var denials: [Denial] = []
  /// The data that must be known before the plan is complete.
  var missing = MissingData()

  init() {}

  /// Adds ids to delete.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func addDeletions<ID: Hashable & Sendable>(_ ids: [ID], of type: TypeNumber) {
    if ids.isEmpty { return }
    var fresh = wave.removeValue(forKey: type).map { checked($0.list, as: [ID].self) } ?? []
    deletions.change(type, from: OrderedIDs<ID>()) { known in
      for id in ids where known.append(id) { fresh.append(id) }
    }
    if !fresh.isEmpty { wave[type] = IDs(fresh, of: type) }
  }

  /// Adds records that lose a ref, unless the plan deletes them.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func detach<ID: Hashable & Sendable>(_ ids: [ID], by edge: EdgeID) {
    let deletions = deletions.value(edge.source, as: OrderedIDs<ID>.self)?.members ?? []
    let others = ids.filter { !deletions.contains($0) }
    if others.isEmpty { return }
    detached.change(edge, from: OrderedIDs<ID>()) { $0.append(contentsOf: others) }
  }

  /// Takes the ids whose rules must be followed next, in the order of their types.
  mutating func takeWave() -> [IDs] {
    defer { wave = [:] }
    return wave.values.sorted { $0.type < $1.type }
  }

  /// The ids to delete of a type.
  func deletions<Element: Cacheable>(
    _ number: TypeNumber, as type: Element.Type
  ) -> OrderedIDs<Element.ID> {
    deletions.value(number, as: OrderedIDs<Element.ID>.self) ?? OrderedIDs()
  }

  /// The ids of the records of a type that lose refs by a relationship.
  func detached<Element: Cacheable>(
    by edge: EdgeID, as type: Element.Type
  ) -> OrderedIDs<Element.ID> {
    detached.value(edge, as: OrderedIDs<Element.ID>.self) ?? OrderedIDs()
  }

  /// Returns whether the plan deletes all of the ids.
  func deletes<Element: Cacheable>(_ ids: IDs, of type: Element.Type) -> Bool {
    let deletions = deletions(ids.type, as: type).members
    return ids.of(type).allSatisfy { deletions.contains($0) }
  }

  func deletedIDs<Element: Cacheable>(_ number: TypeNumber, of type: Element.Type) -> IDs {
    IDs(deletions(number, as: type).list, of: number)
  }

  func detachedIDs<Element: Cacheable>(by edge: EdgeID, of type: Element.Type) -> IDs {
    IDs(detached(by: edge, as: type).list, of: edge.source)
  }
}
