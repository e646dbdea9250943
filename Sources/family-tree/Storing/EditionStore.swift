import Kinship

/// A store that makes a new ``Edition`` of its genealogy with every change.
actor EditionStore: ForwardingStore {
  let base: any BackingStore
  /// Makes the changes of the edition, which is the one record in it.
  private let ledger: GraphCache
  private var edition: Edition
  /// Whether somebody else has changed the genealogy, too: what was loaded before may be outdated.
  private var isShared = false

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

  /// Makes changes, and a new edition with them.
  func apply(_ changes: ChangeSet) async throws {
    do {
      try await commit(changes)
    } catch KinshipError.conflict(let ref, _, _) where ref == AnyRef(Edition.only) {
      // Only the count is in the way: whether the changes themselves are, the store says now.
      isShared = true
      edition = try await Self.edition(of: base)
      try await commit(changes)
    }
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
