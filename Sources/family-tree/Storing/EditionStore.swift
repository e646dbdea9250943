import Kinship

/// A store that makes a new ``Edition`` of its genealogy with every change.
actor EditionStore: ForwardingStore {
  let base: any BackingStore
  /// Makes the changes of the edition, which is the one record in it.
  private let ledger: GraphCache
  private var edition: Edition
  /// Whether somebody else has changed the genealogy, too: what was loaded before may be outdated.
  private var isShared = false

  /// How often a change is tried while others change the genealogy: each of them has succeeded.
  private static let mostTries = 100

  /// Asks a store for its edition, which must be before anything else is asked of it.
  init(_ base: any BackingStore) async throws {
    self.base = base
    ledger = try GraphCache(for: Edition.self)
    edition = try await Self.edition(of: base)
  }

  /// What the records that were loaded are of; nil if that is not certain.
  var state: String? { isShared ? nil : edition.name }

  /// How many records there are.
  var size: Archive.Size { edition.size }

  /// Fetches what a graph leads to, as the store itself does: nothing of it is changed here.
  func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    try await base.fetch(type, ids: ids, following: plan)
  }

  /// Makes changes, and a new edition with them.
  func apply(_ changes: ChangeSet) async throws {
    for _ in 1..<Self.mostTries {
      do {
        return try await commit(changes)
      } catch KinshipError.conflict(let ref, _, _) where ref == AnyRef(Edition.only) {
        // Only the count is in the way: whether the changes themselves are, the store says now.
        isShared = true
        edition = try await Self.edition(of: base)
      }
    }
    try await commit(changes)
  }

  /// Has another store make known what others have changed, and notes the edition of that.
  ///
  /// - Parameter store: The store that the cache follows.
  /// - Throws: What the stores throw.
  func catchUp(with store: any SharedStore) async throws {
    // What memory knows afterwards is this edition, or one that makes it count for nothing.
    let edition = try await Self.edition(of: base)
    try await store.catchUp()
    self.edition = edition
    isShared = false
  }

  private func commit(_ changes: ChangeSet) async throws {
    let edition = edition
    try await ledger.put(edition)
    let next = try await ledger.write { tx in
      try tx.put(edition.after(changes))
    }
    try await base.apply(changes.merging(next))
    self.edition = try await ledger.resolve(Edition.only)
  }

  private static func edition(of base: any BackingStore) async throws -> Edition {
    guard let edition = try await base.fetch(Edition.self, ids: [Edition.only.id]).first else {
      throw KinshipError.missing(AnyRef(Edition.only))
    }
    return edition
  }
}
