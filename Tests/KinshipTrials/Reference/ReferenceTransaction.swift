import KinshipTestSupport

/// The expected behaviour of a transaction, in dictionaries and arrays.
struct ReferenceTransaction {
  /// The failure of a step, or of an entire transaction.
  enum Failure: Error, Hashable, Sendable {
    case exists(Key)
    case missing(Key)
    case denied(Key, by: Set<Key>)
    case refused
  }

  /// The answer of a step.
  enum Answer: Hashable, Sendable {
    case done
    case read(Entry?)
    case preview(deleted: Set<Key>, nullified: Set<Key>, denials: Set<Key>)
    case failed(Failure)

    /// The value on which later steps depend.
    var seen: Int {
      switch self {
      case .read(let entry): entry.map { $0.value + 1 } ?? 0
      case .preview(let deleted, let nullified, _): deleted.count + nullified.count
      case .done, .failed: 0
      }
    }
  }

  enum Knowledge: Hashable {
    case present(Entry)
    case missing
    case unknown
  }

  struct Staged {
    var base: Knowledge
    var current: Knowledge
    /// Whether only properties were set, and which ones.
    var isAuthoritative = false
    var value: Int?
    var many: [Int]?
    /// Whether the to-one relationship was removed.
    var losesOne = false

    var isChanged: Bool { isAuthoritative || value != nil || many != nil || losesOne }
  }

  /// A fact that only the store knows.
  private struct MustLoad: Error {
    let keys: Set<Key>
  }

  let model: ReferenceCache
  /// Whether a property of an unknown record can be set.
  let updatesBlindly: Bool
  /// The keys that the transaction has learnt from the store.
  private(set) var known: Set<Key> = []
  private(set) var staged: [Key: Staged] = [:]
  private(set) var answers: [Answer] = []
  /// Whether this run of the steps lacks a record, so that it does not count.
  private var isIncomplete = false
  /// The keys that a failed step lacked.
  private var noted: Set<Key> = []
  /// The failure of a subscript, which cannot throw.
  private var laterFailure: Failure?

  init(_ model: ReferenceCache, updatesBlindly: Bool = true) {
    self.model = model
    self.updatesBlindly = updatesBlindly
  }

  /// The sum of the values read so far.
  private var seen: Int { answers.reduce(0) { $0 + $1.seen } }

  // MARK: Running

  /// Runs steps, and repeats them while a record must be loaded.
  mutating func run(_ steps: [TransactionStep], catches: Bool) throws(Failure) {
    while true {
      staged = [:]
      answers = []
      laterFailure = nil
      isIncomplete = false
      noted = []
      var failure: Failure?
      var lacking: Set<Key> = []
      for step in steps {
        do {
          answers.append(try perform(step.depending(on: seen)))
        } catch let error as MustLoad {
          lacking.formUnion(error.keys)
          isIncomplete = true
          answers.append(.done)
          if !catches, !step.goesOn { break }
        } catch let error as Failure {
          answers.append(.failed(error))
          if catches { continue }
          failure = error
          break
        } catch {
          preconditionFailure("\(error)")
        }
      }
      lacking.formUnion(noted)
      if lacking.isEmpty {
        if let failure = failure ?? laterFailure { throw failure }
        return
      }
      known.formUnion(lacking)
    }
  }

  private mutating func perform(_ step: TransactionStep) throws -> Answer {
    switch step {
    case .insert(let key, let entry):
      if case .present = knowledge(key) { throw Failure.exists(key) }
      stage(key, .present(entry))
    case .put(let key, let entry): try put(key, entry)
    case .updateClosure(let key, let entry):
      stage(key, .present(entry.adding(try required(key).value)))
    case .updateProperty(let key, let value):
      if knowledge(key) == .missing { throw Failure.missing(key) }
      if knowledge(key) == .unknown, !updatesBlindly { throw MustLoad(keys: [key]) }
      setProperty(key, value: value, many: nil)
    case .updateRelationship(let key, let many):
      _ = try required(key)
      setProperty(key, value: nil, many: many)
    case .assign(let key, let entry):
      do {
        if let entry {
          try put(key, entry)
        } else if knowledge(key) != .missing {
          try delete([key])
        }
      } catch let failure as Failure {
        laterFailure = laterFailure ?? failure
      }
    case .delete(let key): try delete([key])
    case .deleteBoth(let key, let number): try delete([key, Key(key.kind, number)])
    case .preview(let key):
      let plan = try plan(deleting: [key])
      if !plan.lacking.isEmpty { throw MustLoad(keys: plan.lacking) }
      return .preview(
        deleted: plan.doomed, nullified: plan.detached.subtracting(plan.doomed),
        denials: plan.denials)
    case .read(let key):
      switch knowledge(key) {
      case .present(let entry): return .read(entry.normalized(key.kind))
      case .missing: return .read(nil)
      case .unknown: throw MustLoad(keys: [key])
      }
    case .fail: throw Failure.refused
    }
    return .done
  }

  // MARK: State

  func knowledge(_ key: Key) -> Knowledge { staged[key]?.current ?? committed(key) }

  private func committed(_ key: Key) -> Knowledge {
    if let entry = model.records[key] { return .present(entry) }
    guard let store = model.store, !model.missing.contains(key) else { return .missing }
    if !known.contains(key) { return .unknown }
    return store[key].map { .present($0) } ?? .missing
  }

  private func required(_ key: Key) throws -> Entry {
    switch knowledge(key) {
    case .present(let entry): return entry
    case .missing: throw Failure.missing(key)
    case .unknown: throw MustLoad(keys: [key])
    }
  }

  private mutating func stage(_ key: Key, _ new: Knowledge) {
    var value = staged[key] ?? Staged(base: committed(key), current: committed(key))
    value.current = new
    value.isAuthoritative = true
    staged[key] = value
  }

  /// Stages an entry, which a run that lacks the record sees from then on.
  private mutating func put(_ key: Key, _ entry: Entry) throws {
    let isLacking = knowledge(key) == .unknown
    stage(key, .present(entry))
    if isLacking { throw MustLoad(keys: [key]) }
  }

  private mutating func setProperty(
    _ key: Key, value: Int? = nil, many: [Int]? = nil, losesOne: Bool = false
  ) {
    var change = staged[key] ?? Staged(base: committed(key), current: committed(key))
    if case .present(var entry) = change.current {
      if let value { entry.value = value }
      if let many { entry.many = many }
      if losesOne { entry.one = nil }
      change.current = .present(entry)
    }
    change.value = value ?? change.value
    change.many = many ?? change.many
    change.losesOne = change.losesOne || losesOne
    staged[key] = change
  }

  // MARK: Deletion

  private struct Plan {
    var doomed: Set<Key> = []
    var detached: Set<Key> = []
    var denials: Set<Key> = []
    var lacking: Set<Key> = []
  }

  private mutating func delete(_ keys: [Key]) throws {
    let plan = try plan(deleting: keys)
    // If a record is lacking, the run continues as if the deletion were allowed.
    if !isIncomplete, plan.lacking.isEmpty, !plan.denials.isEmpty {
      throw Failure.denied(keys[0], by: plan.denials)
    }
    for key in plan.detached.subtracting(plan.doomed) {
      guard case .present(let entry) = knowledge(key) else { continue }
      // A work requires its author, so it is deleted too.
      let losesOne =
        key.kind == .author && entry.one.map { plan.doomed.contains(Key(.author, $0)) } ?? false
      let many = entry.many.filter { !plan.doomed.contains(Key(.work, $0)) }
      setProperty(key, many: many == entry.many ? nil : many, losesOne: losesOne)
    }
    for key in plan.doomed { stage(key, .missing) }
    if !plan.lacking.isEmpty { throw MustLoad(keys: plan.lacking) }
  }

  /// Applies the rules: an author's works are deleted with it, works without an author are deleted,
  /// a work with sequels denies its deletion, and other refs are removed.
  private mutating func plan(deleting keys: [Key]) throws -> Plan {
    var unknown: Set<Key> = []
    for key in keys {
      switch knowledge(key) {
      case .present: continue
      case .unknown: unknown.insert(key)
      case .missing:
        noted.formUnion(unknown)
        isIncomplete = isIncomplete || !unknown.isEmpty
        throw Failure.missing(key)
      }
    }
    var plan = Plan()
    var lacking: Set<Key> = []
    var queue = keys
    while let key = queue.popLast() {
      let known = knowledge(key)
      if known == .missing || !plan.doomed.insert(key).inserted { continue }
      var entry: Entry?
      if case .present(let present) = known { entry = present }
      for number in entry?.many ?? [] {
        let target = Key(.work, number)
        switch (knowledge(target), key.kind) {
        case (.missing, _): continue
        case (.unknown, _): lacking.insert(target)
        case (.present, .author): queue.append(target)
        case (.present, .work): plan.denials.insert(target)
        }
      }
      for other in Key.all {
        // The store finds all referrers of the key, even those that the transaction has changed
        // since.
        if committed(other) == .unknown, let entry = model.store?[other],
          entry.refers(to: key, from: other)
        {
          lacking.insert(other)
        }
        switch knowledge(other) {
        case .missing, .unknown: continue
        case .present(let entry):
          guard entry.refers(to: key, from: other) else { continue }
          if other.kind == .work, key == Key(.author, entry.one ?? 0) {
            queue.append(other)
          } else {
            plan.detached.insert(other)
          }
        }
      }
    }
    // A record that may be missing needs no load of its targets.
    plan.lacking = unknown.isEmpty ? lacking : unknown
    plan.denials.subtract(plan.doomed)
    return plan
  }

  // MARK: Committing

  /// The contents of the store after the transaction; `nil` if it refuses.
  func storeAfterwards() -> [Key: Entry]?? {
    guard var store = model.store else { return .some(nil) }
    for (key, change) in staged where change.isChanged {
      switch (change.base, change.current) {
      case (.present, .missing):
        if store.removeValue(forKey: key) == nil { return nil }
      case (.present, .present(let new)):
        guard var entry = store[key] else { return nil }
        if change.isAuthoritative {
          // These records are not `Codable`: changes by others cannot be merged with these.
          guard Knowledge.present(entry.normalized(key.kind)) == change.base.normalized(key.kind)
          else { return nil }
          entry = new
        } else {
          if let value = change.value { entry.value = value }
          if let many = change.many { entry.many = many }
          if change.losesOne { entry.one = nil }
        }
        store[key] = entry
      case (_, .present(let new)):
        if store.updateValue(new, forKey: key) != nil { return nil }
      case (.unknown, .unknown):
        guard var entry = store[key], let value = change.value else { return nil }
        entry.value = value
        store[key] = entry
      default: continue
      }
    }
    return store
  }

  /// The entry of a key after the transaction, if memory may show it.
  func truth(_ key: Key) -> Entry? {
    switch knowledge(key) {
    case .present(let entry): entry
    case .missing: nil
    case .unknown: model.store?[key]
    }
  }
}

extension Entry {
  /// Whether the record of a key refers to another.
  func refers(to target: Key, from key: Key) -> Bool {
    targets(of: key.kind).contains { $0.keys.contains(target) }
  }
}
