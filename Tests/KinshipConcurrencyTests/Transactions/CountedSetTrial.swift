import KinshipTestSupport

@testable import Kinship

/// Clients that join, leave and dissolve clubs.
///
/// A club counts its members, and each member is a record of its own.
final class CountedSetTrial: Sendable {
  struct Club: GraphRecord, Equatable {
    let id: Int
    var count = 0
  }

  struct Member: GraphRecord, Equatable {
    let id: Int
    var club: Ref<Club>
    static let relationships: Relationships<Member> = [.toOne(\.club, onTargetDelete: .cascade)]
  }

  private static let clubs = 3

  private let memory = MemoryStore((0..<CountedSetTrial.clubs).map { Club(id: $0) })
  private let cache: GraphCache
  private let seed: UInt64
  private let lastMember = Lock(0)

  init(_ schedule: Schedule, failure: Double) throws {
    seed = schedule.seed
    let store = ScriptedStore(
      over: memory, script: .random(StoreFaults(yields: 3, failure: failure, loss: failure)),
      seed: seed)
    cache = try GraphCache(
      for: Club.self, Member.self, store: store, capacity: [0, 3, .max][Int(seed % 3)],
      executor: schedule.executor)
  }

  func run(client: Int) async throws {
    var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(client), of: seed))
    var pending: [GraphCache.PendingWrite] = []
    var mine: [Int] = []
    for _ in 0..<8 {
      let club = Ref<Club>(Int.random(in: 0..<Self.clubs, using: &generator))
      let member = lastMember.withLock { last in
        last += 1
        return last
      }
      let body: @Sendable (inout GraphCache.Transaction) throws -> Void
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        mine.append(member)
        body = { try Self.join(member, club, in: &$0) }
      case 5..<7:
        guard let member = mine.popLast() else { continue }
        body = { try Self.leave(member, in: &$0) }
      case 7: body = { try Self.dissolve(club, in: &$0) }
      case 8:
        await cache.evict(club)
        continue
      default:
        await cache.invalidate(club)
        continue
      }
      if Bool.random(using: &generator) {
        _ = try? await cache.write(body: body)
      } else if let write = try? await cache.writeOptimistically(body: body) {
        pending.append(write)
      }
      try verifyEqual(await cache.audit(), [], "the audit")
    }
    for write in pending { _ = try? await write.outcome() }
  }

  private static func join(_ member: Int, _ club: Ref<Club>, in tx: inout GraphCache.Transaction)
    throws
  {
    guard let count = tx[club]?.count else { return }
    try tx.insert(Member(id: member, club: club))
    try tx.update(club, \.count, to: count + 1)
  }

  private static func leave(_ member: Int, in tx: inout GraphCache.Transaction) throws {
    guard let club = tx[Ref<Member>(member)]?.club else { return }
    try tx.delete(Ref<Member>(member))
    try tx.update(club) { $0.count -= 1 }
  }

  /// The rule deletes the members along with the club, and a new club begins.
  private static func dissolve(_ club: Ref<Club>, in tx: inout GraphCache.Transaction) throws {
    guard tx.contains(club) else { return }
    try tx.delete(club)
    try tx.insert(Club(id: club.id))
  }

  func verify() async throws {
    let members = (1...max(1, lastMember.withLock { $0 })).compactMap { memory[Ref<Member>($0)] }
    for id in 0..<Self.clubs {
      let ref = Ref<Club>(id)
      let count = members.count { $0.club == ref }
      try verifyEqual(memory[ref]?.count, count, "the members that club \(id) counts")
      if let shown = cache.peek(ref) { try verifyEqual(shown, memory[ref], "club \(id) in memory") }
    }
    for member in members {
      if let shown = cache.peek(member.ref) { try verifyEqual(shown, member, "a member in memory") }
    }
    let statistics = cache.statistics
    try verifyEqual(statistics.pendingWrites, 0, "pending writes")
    try verifyEqual(statistics.leases, 0, "leases")
    try verifyEqual(await cache.audit(), [], "the audit")
  }
}
