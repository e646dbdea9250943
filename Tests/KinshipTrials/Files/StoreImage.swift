import KinshipTestSupport

@testable import Kinship
@testable import KinshipFileStore

/// The files of a store, and the acknowledged and synced commits.
struct StoreImage: Sendable {
  let files: [String: [UInt8]]
  let state: StoredState
  /// All states that were ever written.
  let written: [StoredState]

  /// A store that was closed, or whose program was killed, after some commits.
  init(seed: UInt64, closing isClosing: Bool) async throws {
    var generator = SplitMix64(seed: seed)
    var disk = SimulatedDisk()
    var store = try await FileStore.small(in: disk)
    var states = [StoredState()]
    for _ in 0..<Int.random(in: 1...60, using: &generator) {
      let old = states[states.count - 1]
      let new = old.changed(seed: generator.next())
      try await store.apply(old.changes(to: new))
      states.append(new)
      if generator.chance(0.05) {
        // The program is killed, or closes the store before.
        if generator.chance(0.5) { try await store.close() }
        disk = disk.copy()
        store = try await .small(in: disk)
      }
      if generator.chance(0.03) { try await store.compact() }
    }
    if isClosing { try await store.close() }
    files = disk.files(in: "/store").filter { $0.key != "lock" }
    state = states[states.count - 1]
    written = states
  }

  /// The frames of the logs, and the entries in them.
  var spans: [FileMutation.Span] {
    files.keys.sorted().flatMap { name -> [FileMutation.Span] in
      guard name.hasSuffix(".kinlog"), let bytes = files[name] else { return [] }
      return bytes.spansOfFrames.map { FileMutation.Span(file: name, range: $0) }
    }
  }

  func wasWritten(_ found: StoredState) -> Bool {
    found.notes.allSatisfy { id, note in written.contains { $0.notes[id] == note } }
      && found.labels.allSatisfy { id, label in written.contains { $0.labels[id] == label } }
  }
}
