import KinshipTestSupport

@testable import Kinship

/// A capture that is being read, beside a copy of the model at its beginning.
struct CaptureBesideModel {
  var reader: CaptureReader
  var isOrdered = false
  let expected: ReferenceCache
  var batches: [[CapturedRun]] = []
}

extension CacheBesideModel {
  mutating func beginCapture() async {
    if capture != nil { cache.endCapture() }
    capture = CaptureBesideModel(reader: await cache.beginCapture(), expected: model)
  }

  mutating func readCapture(_ limit: Int) throws {
    guard var capture else { return }
    if !capture.isOrdered { try capture.reader.takeOrder() }
    capture.isOrdered = true
    if let runs = capture.reader.next(limit: limit) { capture.batches.append(runs) }
    self.capture = capture
  }

  /// Reads the rest of a capture and compares it with the model's copy.
  mutating func endCapture() throws {
    try readCapture(1)
    guard let reading = capture else { return }
    var reader = reading.reader
    var contents = CapturedContents(&reader, limit: 3, after: reading.batches)
    contents.leases = [:]
    capture = nil
    cache.endCapture()
    captured = contents
    let expected = reading.expected
    let found = entries(of: contents)
    try verifyEqual(
      Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0.entry) }),
      Dictionary(
        uniqueKeysWithValues: expected.records.map { ($0.key, $0.value.normalized($0.key.kind)) }),
      "the captured records")
    let held = expected.records.count - expected.order.count
    try verifyEqual(found.dropFirst(held).map(\.key), expected.order, "the captured order of use")
    let missing = Set(
      contents.missingIDs(Author<ID>.self, number: 0).map {
        Key(.author, Ref<Author<ID>>($0).number)
      }
        + contents.missingIDs(Work<ID>.self, number: 1).map { Key(.work, Ref<Work<ID>>($0).number) }
    )
    try verifyEqual(missing, expected.missing, "what was known missing")
  }

  /// Restores the last capture that was read, in the cache and in the model.
  mutating func restore() async throws {
    guard let captured else { return }
    let (outcome, _) = try await captured.restore(into: cache)
    for kind in Kind.allCases { model.tell(kind) }
    let (expected, evicted) = model.restore(entries(of: captured))
    try verifyEqual(outcome, expected, "what came of a restoration")
    if model.store != nil {
      let authors = captured.missingIDs(Author<ID>.self, number: 0)
      let works = captured.missingIDs(Work<ID>.self, number: 1)
      // A record that was evicted for a restored one was known to exist.
      for key in Key.all where model.records[key] == nil && !evicted.contains(key) {
        let wasMissing =
          key.kind == .author
          ? authors.contains(.numbered(key.number)) : works.contains(.numbered(key.number))
        if wasMissing, model.missing.insert(key).inserted {
          // It is no longer known since when the others have been missing.
          model.missingSince = model.missingSince.filter { $0.key.kind != key.kind }
        }
      }
    }
    for key in Key.all { adoptAge(of: key) }
  }

  /// The captured entries, in recency order.
  private func entries(of contents: CapturedContents) -> [(key: Key, entry: Entry)] {
    let authors = contents.records(Author<ID>.self).map {
      ($0.rank, $0.record.ref.number, $0.record.entry)
    }
    let works = contents.records(Work<ID>.self).map {
      ($0.rank, $0.record.ref.number, $0.record.entry)
    }
    let ranked =
      authors.map { ($0.0, Key(.author, $0.1), $0.2) }
      + works.map { ($0.0, Key(.work, $0.1), $0.2) }
    return ranked.sorted { $0.0 < $1.0 }.map { ($0.1, $0.2) }
  }
}

extension ReferenceCache {
  /// Restores captured entries, from the most to the least recently used.
  ///
  /// - Returns: The outcome, and the records evicted for it.
  mutating func restore(
    _ entries: [(key: Key, entry: Entry)]
  ) -> (outcome: RestoreOutcome, evicted: Set<Key>) {
    var outcome = RestoreOutcome()
    var evicted: Set<Key> = []
    for (key, entry) in entries {
      if records[key] != nil || missing.contains(key) || evicted.contains(key) { continue }
      let isPinned = pins[key] != nil
      let hasRoom = records.count < capacity && cost <= costLimit - entry.effectiveCost
      if !isPinned, !evicted.isEmpty || !hasRoom {
        outcome.isFull = true
        break
      }
      records[key] = entry
      if !isPinned { order.append(key) }
      let before = Set(records.keys)
      evictOverflow()
      evicted.formUnion(before.subtracting(records.keys))
      outcome.restored += 1
    }
    return (outcome, evicted)
  }
}
