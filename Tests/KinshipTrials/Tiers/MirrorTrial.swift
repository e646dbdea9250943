import Kinship
import KinshipTestSupport
import KinshipTesting
import KinshipTiers

/// A mirrored store beside a dictionary, while either of its stores fails.
package struct MirrorTrial {
  /// The outcome of the calls of a store.
  enum Mood: CaseIterable {
    case willing, failing, losingBefore, losingAfter

    var script: StoreScript {
      switch self {
      case .willing: .plain
      case .failing: .always(StoreBehavior(failure: ScriptedFailure()))
      case .losingBefore: .always(StoreBehavior(losing: .before))
      case .losingAfter: .always(StoreBehavior(losing: .after))
      }
    }
  }

  /// An operation of the trial.
  enum Step: Command {
    /// Gives notes new values; `nil` deletes them.
    case write([Int: Int?])
    /// Changes what becomes of the calls of the first or the second store.
    case mood(isSecond: Bool, Mood)
    case fill, catchUp, switchOver, compare

    static func random(using generator: inout SplitMix64) -> Step {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<6:
        let edits = (0...Int.random(in: 0...3, using: &generator)).map { _ in
          let value = Int.random(in: 0..<100, using: &generator)
          return (Int.random(in: 0..<8, using: &generator), value < 30 ? nil : value)
        }
        return .write(Dictionary(edits) { _, last in last })
      case 6, 7:
        let mood = Mood.allCases.randomElement(using: &generator) ?? .willing
        return .mood(
          isSecond: Bool.random(using: &generator), generator.chance(0.4) ? .willing : mood)
      case 8, 9: return .fill
      case 10: return generator.chance(0.5) ? .catchUp : .compare
      default: return .switchOver
      }
    }
  }

  private let memories: [MemoryStore]
  private let stores: [ScriptedStore]
  private let mirrored: MirroredStore
  private var moods = [Mood.willing, .willing]
  /// Which of the stores leads.
  private var leader = 0
  /// The values of the notes.
  private var model = [0: 1, 1: 1, 2: 1]

  /// Writes, fills, compares and switches over, while stores fail.
  ///
  /// - Parameter seeds: The number of lists of operations.
  /// - Returns: The number of operations.
  /// - Throws: `PropertyFailure` with the smallest list of operations that fails.
  @discardableResult
  package static func check(seeds: Int) async throws -> Int {
    var count = 0
    try await Property.check(
      seeds: seeds, steps: 40, generate: { Step.random(using: &$0) }, system: { _ in MirrorTrial() }
    ) { trial, step in
      try await trial.perform(step)
      count += 1
    }
    return count
  }

  private init() {
    // The mirror has a note that differs, and one too many.
    memories = [MemoryStore(), MemoryStore([Self.note(1, 7), Self.note(20, 7)])]
    memories[0].insert(model.map { Self.note($0, $1) })
    stores = memories.map { ScriptedStore(over: $0) }
    mirrored = MirroredStore(
      reading: stores[0], mirroring: stores[1], types: [TieredNote.self])
  }

  private static func note(_ id: Int, _ value: Int) -> TieredNote {
    TieredNote(id, group: 0, value: value)
  }

  private func contents(_ store: Int) async throws -> [Int: Int] {
    let notes = try await memories[store].fetch(RecordQuery<TieredNote>())
    return Dictionary(notes.map { ($0.id, $0.value) }) { first, _ in first }
  }

  private mutating func perform(_ step: Step) async throws {
    let (canRead, canMirror) = (moods[leader] != .failing, moods[1 - leader] == .willing)
    let before = mirrored.status
    switch step {
    case .mood(let isSecond, let mood):
      moods[isSecond ? 1 : 0] = mood
      stores[isSecond ? 1 : 0].follow(mood.script)
    case .write(let edits): try await write(edits)
    case .fill:
      try await perform(mustSucceed: canRead && canMirror) { try await mirrored.fill(batchSize: 3) }
      if canRead && canMirror {
        try verify(mirrored.status.isFilled && mirrored.status.behind == 0, "it is not filled")
      }
    case .catchUp:
      try await perform(mustSucceed: canRead && canMirror) { try await mirrored.catchUp() }
    case .compare:
      let differing = try await differing()
      let canCompare = canRead && moods[1 - leader] != .failing
      try await perform(mustSucceed: canCompare) {
        let found = try await mirrored.differences(batchSize: 2)
        try verifyEqual(
          Set(found), Set(differing.map { AnyRef(Ref<TieredNote>($0)) }), "the difference")
      }
    case .switchOver:
      let isSwitched = try await perform(mustSucceed: before.isFilled && canRead && canMirror) {
        try await mirrored.switchOver()
      }
      if isSwitched {
        try verify(before.isFilled, "a mirror leads that may lack records")
        leader = 1 - leader
      }
    }
    try verifyEqual(try await contents(leader), model, "the leading store")
    let status = mirrored.status
    if status.isFilled {
      let differing = try await differing().count
      try verify(differing <= status.behind, "\(differing) differ, \(status.behind) are behind")
    }
  }

  /// The ids of the notes that one store lacks or that differ.
  private func differing() async throws -> [Int] {
    let (one, other) = (try await contents(0), try await contents(1))
    return Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
  }

  /// Runs a call that may fail as scripted; returns whether it has succeeded.
  @discardableResult
  private func perform(mustSucceed: Bool, _ body: () async throws -> Void) async throws -> Bool {
    do {
      try await body()
      return true
    } catch let error as Mismatch {
      throw error
    } catch {
      try verify(!mustSucceed, "it fails though both stores answer: \(error)")
      return false
    }
  }

  private mutating func write(_ edits: [Int: Int?]) async throws {
    var (changes, after) = (ChangeSet(), model)
    for (id, value) in edits {
      let old = model[id].map { Self.note(id, $0) }
      let new = value.map { Self.note(id, $0) }
      after[id] = value
      let edit: ChangeSet? =
        switch (old, new) {
        case (nil, let new?): ChangeSet(inserting: [new])
        case (let old?, nil): ChangeSet(deleting: [old])
        case (let old?, let new?):
          ChangeSet(updating: [UpdatedRecord(old.ref, old: old, new: new, properties: nil)])
        case (nil, nil): nil
        }
      if let edit { changes = changes.merging(edit) }
    }
    if changes.isEmpty { return }
    let mood = moods[leader]
    let isApplied = try await perform(mustSucceed: mood == .willing) {
      try await mirrored.apply(changes)
    }
    try verifyEqual(isApplied, mood == .willing, "whether the write succeeds")
    if mood == .willing || mood == .losingAfter { model = after }
  }
}
