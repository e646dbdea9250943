import Kinship
import KinshipTestSupport

/// A command while answers are followed.
enum LiveOperation: Command {
  case observe(LiveQuestion)
  case write([ClubModel.Change])
  /// The same records are written twice before the observers look.
  case writeTwice([ClubModel.Change], [ClubModel.Change])
  /// An optimistic write, which the store then commits or refuses.
  case show([ClubModel.Change], isRefused: Bool)
  /// Others change the store, and the cache is notified.
  case outside(ClubModel.Change)
  /// Others change the store. The cache is not notified, and then drops everything.
  case reset(ClubModel.Change)
  /// So many are deleted at once that a limited answer needs records beyond all that it holds.
  case deleteMany(from: Int)
  case evict(Int)
  case invalidateAll
  case load(LiveQuestion)

  static func random(using generator: inout SplitMix64) -> LiveOperation {
    func changes(_ most: Int) -> [ClubModel.Change] {
      (0..<Int.random(in: 1...most, using: &generator)).map { _ in
        .amongMany(using: &generator)
      }
    }
    return switch Int.random(in: 0..<25, using: &generator) {
    case 23, 24:
      {
        let first = changes(4)
        return .writeTwice(first, first.map { $0.other(using: &generator) })
      }()
    case 20: .reset(.amongMany(using: &generator))
    case 21: .deleteMany(from: Int.random(in: 0..<60, using: &generator))
    // They come again.
    case 22:
      .write(
        (0..<60).map { .member($0, .random(id: $0, using: &generator)) })
    case 0..<2: .observe(LiveQuestion(using: &generator))
    case 2..<9: .write(changes(3))
    case 9: .write(changes(60))
    case 10..<12: .show(changes(4), isRefused: Bool.random(using: &generator))
    case 12..<15: .outside(.amongMany(using: &generator))
    case 15, 16: .evict(Int.random(in: 0..<60, using: &generator))
    case 17: .invalidateAll
    default: .load(LiveQuestion(using: &generator))
    }
  }
}

extension ClubModel {
  /// More members than others refer to, and a few clubs.
  static func ofMany(using generator: inout SplitMix64) -> ClubModel {
    var clubModel = ClubModel(count: 8, using: &generator)
    for id in 0..<40 { clubModel.members[id] = .random(id: id, using: &generator) }
    return clubModel
  }

  /// A store that has the records.
  var store: MemoryStore {
    let store = MemoryStore(members.values)
    store.insert(clubs.values)
    return store
  }
}

extension ClubModel.Change {
  /// A change among more members than others refer to, so that limited answers have many records
  /// beyond.
  static func amongMany(using generator: inout SplitMix64) -> ClubModel.Change {
    let id = Int.random(in: 0..<60, using: &generator)
    return switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1: .random(using: &generator)
    case 2: .member(id, nil)
    default: .member(id, .random(id: id, using: &generator))
    }
  }

  /// Another change of the same record.
  func other(using generator: inout SplitMix64) -> ClubModel.Change {
    let isDeletion = Bool.random(using: &generator)
    return switch self {
    case .member(let id, _): .member(id, isDeletion ? nil : .random(id: id, using: &generator))
    case .club(let id, _): .club(id, isDeletion ? nil : .random(id: id, using: &generator))
    }
  }

  /// Makes the change in a store without the cache's knowledge.
  func make(in store: MemoryStore) {
    func make<R: GraphRecord>(_ ref: Ref<R>, _ record: R?) {
      if let record { store.insert([record]) } else { store.remove(ref) }
    }
    switch self {
    case .member(let id, let member): make(Ref(id), member)
    case .club(let id, let club): make(Ref(id), club)
    }
  }

  /// Makes the change in a cache without a store.
  func put(in cache: GraphCache) async throws {
    func put<R: GraphRecord>(_ ref: Ref<R>, _ record: R?) async throws {
      if let record { try await cache.put(record) } else { await cache.remove(ref) }
    }
    switch self {
    case .member(let id, let member): try await put(Ref(id), member)
    case .club(let id, let club): try await put(Ref(id), club)
    }
  }

  /// Notifies a cache that the record has changed in the store.
  func invalidate(in cache: GraphCache) async {
    switch self {
    case .member(let id, _): await cache.invalidate(Ref<Member>(id))
    case .club(let id, _): await cache.invalidate(Ref<Club>(id))
    }
  }
}
