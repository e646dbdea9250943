package import Kinship
package import KinshipFileStore

/// The expected records of a file store, in plain dictionaries.
package struct StoredState: Hashable, Sendable {
  package var notes: [Int: StoredNote] = [:]
  package var labels: [StoredLabel.ID: StoredLabel] = [:]

  package init() {}

  /// The record types.
  package static let types: [any GraphRecord.Type] = [StoredNote.self, StoredLabel.self]

  /// The state after some random changes.
  ///
  /// - Parameter seed: Decides the changes.
  /// - Returns: Other records, with texts of up to 700 bytes.
  package func changed(seed: UInt64) -> StoredState {
    var generator = SplitMix64(seed: seed)
    var state = self
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let number = Int.random(in: 0..<24, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1: state.notes[number] = nil
      case 2: state.labels[StoredLabel(number, value: nil).id] = nil
      case 3:
        let label = StoredLabel(
          number, value: generator.chance(0.3) ? nil : Double(generator.next() % 100))
        state.labels[label.id] = label
      default:
        let length = generator.chance(0.7) ? 20 : Int.random(in: 0...700, using: &generator)
        state.notes[number] = StoredNote(
          id: number,
          text: String(
            repeating: "abcdefgh".randomElement(using: &generator) ?? "a", count: length),
          next: generator.chance(0.5) ? Ref(Int.random(in: 0..<24, using: &generator)) : nil)
      }
    }
    return state
  }

  /// The changes that lead to another state.
  package func changes(to other: StoredState) -> ChangeSet {
    changes(notes, other.notes).merging(changes(labels, other.labels))
  }

  private func changes<R: GraphRecord & Equatable>(_ old: [R.ID: R], _ new: [R.ID: R]) -> ChangeSet
  {
    // In a fixed order, so that a seed replays.
    let (before, after) = (
      old.values.sorted { "\($0.id)" < "\($1.id)" }, new.values.sorted { "\($0.id)" < "\($1.id)" }
    )
    return ChangeSet(
      inserting: after.filter { old[$0.id] == nil },
      updating: after.compactMap { record in
        guard let before = old[record.id], before != record else { return nil }
        return UpdatedRecord(record.ref, old: before, new: record, properties: nil)
      },
      deleting: before.filter { new[$0.id] == nil })
  }

  /// Reads the contents of a store.
  ///
  /// - Throws: Any error of the store, the first cause of a partial answer, and ``Mismatch`` if the
  ///   store contradicts itself.
  package init(of store: FileStore) async throws {
    do {
      notes = try await Self.all(StoredNote.self, in: store)
      labels = try await Self.all(StoredLabel.self, in: store)
    } catch let partial as PartialAnswer<StoredNote> {
      throw partial.failures.first?.cause ?? partial
    } catch let partial as PartialAnswer<StoredLabel> {
      throw partial.failures.first?.cause ?? partial
    }
  }

  private static func all<R: GraphRecord & Equatable>(
    _ type: R.Type, in store: FileStore
  ) async throws -> [R.ID: R] {
    let found = try await store.fetch(RecordQuery<R>())
    let records = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    try verifyEqual(records.count, found.count, "the number of records")
    let fetched = try await store.fetch(type, ids: found.map(\.id))
    try verifyEqual(fetched, found, "what is fetched by ids")
    return records
  }

  /// Verifies that a store has these records, by every kind of request.
  ///
  /// - Parameter store: The store.
  /// - Throws: Any error of the store, and ``Mismatch``.
  package func verify(_ store: FileStore) async throws {
    try verifyEqual(try await StoredState(of: store), self, "what is stored")
    let order = RecordQuery<StoredNote>().sorted(by: \.text, .descending).sorted(by: \.id)
    let page = order.skipping(2).limited(to: 5)
    try verifyEqual(
      try await store.fetch(page), page.answer(from: notes.values), "a page of the notes")
    let targets = (0..<24).filter { $0.isMultiple(of: 3) }.map { Ref<StoredNote>($0) }
    let referrers = try await store.referrers(to: targets, by: RecordRelationship(\StoredNote.next))
    try verifyEqual(
      Set(referrers.map(\.id)),
      Set(notes.values.filter { $0.next.map(targets.contains) ?? false }.map(\.id)),
      "who refers to some notes")
  }
}
