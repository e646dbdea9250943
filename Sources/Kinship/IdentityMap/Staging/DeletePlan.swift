/// What deletions entail by the rules: it grows wave by wave until nothing new comes.
///
/// Ids are kept in arrays of their types, which only who knows the type can read.
struct DeletePlan: Sendable {
  /// A ref that forbids a deletion, as long as its holder stays.
  struct Denial: Sendable {
    let edge: EdgeID
    /// The type and id of the record that stands in the way.
    let type: Int
    let id: any Hashable & Sendable
    /// The type and id of the record that cannot be deleted for it.
    let deletedType: Int
    let deletedID: any Hashable & Sendable

    init(
      edge: EdgeID, type: Int, id: any Hashable & Sendable, deletedType: Int,
      deletedID: any Hashable & Sendable
    ) {
      self.edge = edge
      self.type = type
      self.id = id
      self.deletedType = deletedType
      self.deletedID = deletedID
    }
  }

  /// By type: the ids to delete, `OrderedIDs` of the type's ids.
  var doomed: [Int: any Sendable] = [:]
  /// By type: the ids whose rules have not been followed yet, an array of the type's ids.
  var wave: [Int: any Sendable] = [:]
  /// By relationship: the ids of the records that lose refs, `OrderedIDs` of the source's ids.
  var detached: [EdgeID: any Sendable] = [:]
  var denials: [Denial] = []
  /// Records that must be known before the plan is whole.
  var needs: [Need] = []
  /// Targets whose referrers must be known before the plan is whole.
  var referrerNeeds: [(edge: EdgeID, need: Need)] = []

  init() {}

  var isWhole: Bool { needs.isEmpty && referrerNeeds.isEmpty }

  /// Adds ids to delete.
  mutating func doom<ID: Hashable & Sendable>(_ ids: [ID], type: Int) {
    if ids.isEmpty { return }
    var known = doomed[type] as? OrderedIDs<ID> ?? OrderedIDs()
    doomed[type] = nil
    var fresh = wave[type] as? [ID] ?? []
    wave[type] = nil
    for id in ids where known.append(id) { fresh.append(id) }
    doomed[type] = known
    if !fresh.isEmpty { wave[type] = fresh }
  }

  /// Adds records that lose a ref.
  mutating func detach<ID: Hashable & Sendable>(_ ids: [ID], by edge: EdgeID) {
    if ids.isEmpty { return }
    var known = detached[edge] as? OrderedIDs<ID> ?? OrderedIDs()
    detached[edge] = nil
    for id in ids { _ = known.append(id) }
    detached[edge] = known
  }

  /// Whether an id is to be deleted.
  func isDoomed<ID: Hashable & Sendable>(_ id: ID, type: Int) -> Bool {
    (doomed[type] as? OrderedIDs<ID>)?.members.contains(id) ?? false
  }

  mutating func need(_ ids: any Sendable, type: Int) { needs.append(Need(type: type, ids: ids)) }

  mutating func needReferrers(of ids: any Sendable, type: Int, by edge: EdgeID) {
    referrerNeeds.append((edge, Need(type: type, ids: ids)))
  }
}
