import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Relationships that are stored on both sides.
@Suite(.dedicatedThreads)
struct InverseTests {
  /// A member of one team at most, the leader of one at most, with friends.
  struct Member: GraphRecord, Equatable {
    let id: Int
    var team: Ref<Team>?
    var leads: Ref<Team>?
    var friends: [Ref<Member>] = []

    static let relationships: Relationships<Member> = [
      .toOne(\.team, inverse: \.members), .toOne(\.leads),
      .toMany(\.friends, inverse: \.friends),
    ]
  }

  struct Team: GraphRecord, Equatable {
    let id: Int
    var members: [Ref<Member>] = []
    var captain: Ref<Member>?

    static let relationships: Relationships<Team> = [
      .toMany(\.members), .toOne(\.captain, inverse: \.leads),
    ]
  }

  private enum Operation: Command {
    case member(Member)
    case team(Team)
    case join(Int, Int?)
    case befriend(Int, [Int])
    case lead(Int, Int?)
    case deleteMember(Int)
    case deleteTeam(Int)
    case evict(Int)

    static func random(using generator: inout SplitMix64) -> Operation {
      func number() -> Int { Int.random(in: 0..<4, using: &generator) }
      func numbers() -> [Int] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in number() }
      }
      func maybe() -> Int? { generator.chance(0.7) ? number() : nil }
      return switch Int.random(in: 0..<16, using: &generator) {
      case 0..<3:
        .member(
          Member(
            id: number(), team: maybe().map { Ref($0) }, leads: maybe().map { Ref($0) },
            friends: numbers().map { Ref($0) }))
      case 3..<6:
        .team(
          Team(id: number(), members: numbers().map { Ref($0) }, captain: maybe().map { Ref($0) }))
      case 6..<9: .join(number(), maybe())
      case 9, 10: .befriend(number(), numbers())
      case 11, 12: .lead(number(), maybe())
      case 13: .deleteMember(number())
      case 14: .deleteTeam(number())
      default: .evict(number())
      }
    }
  }

  private struct System {
    let store = MemoryStore()
    let cache: GraphCache

    init(seed: UInt64, executor: (any TaskExecutor)?) throws {
      cache = try GraphCache(
        for: Member.self, Team.self, store: seed % 3 == 0 ? nil : store,
        capacity: seed % 2 == 0 || seed % 3 == 0 ? .max : 3, executor: executor)
    }

    func apply(_ operation: Operation) async throws {
      do {
        try await perform(operation)
      } catch KinshipError.missing {
        // A missing record cannot be changed.
      }
      try await verifyBothSidesAgree()
    }

    private func perform(_ operation: Operation) async throws {
      switch operation {
      case .member(let member):
        try await cache.write { tx in
          var member = member
          member.team = member.team.flatMap { tx.contains($0) ? $0 : nil }
          member.leads = member.leads.flatMap { tx.contains($0) ? $0 : nil }
          member.friends = member.friends.filter { $0 == member.ref || tx.contains($0) }
          try tx.put(member)
        }
      case .team(let team):
        try await cache.write { tx in
          // They are inserted before the team that they refer to, or after it.
          if team.id % 2 == 0 { tx[team.ref] = team }
          for ref in team.members + (team.captain.map { [$0] } ?? []) where !tx.contains(ref) {
            try tx.insert(Member(id: ref.id, team: team.id % 3 == 0 ? team.ref : nil))
          }
          tx[team.ref] = team
        }
      case .join(let id, let number):
        try await cache.write { tx in
          let team = number.map { Ref<Team>($0) }
          if let team, !tx.contains(team) { return }
          try tx.update(Ref<Member>(id), \.team, to: team)
        }
      case .befriend(let id, let numbers):
        try await cache.write { tx in
          let friends = numbers.map { Ref<Member>($0) }.filter { tx.contains($0) }
          try tx.update(Ref<Member>(id)) { $0.friends = friends }
        }
      case .lead(let id, let number):
        try await cache.write { tx in
          let team = number.map { Ref<Team>($0) }
          if let team, !tx.contains(team) { return }
          try tx.update(Ref<Member>(id), .set(\.leads, to: team))
        }
      case .deleteMember(let id): try await cache.write { tx in try tx.delete(Ref<Member>(id)) }
      case .deleteTeam(let id): try await cache.write { tx in try tx.delete(Ref<Team>(id)) }
      case .evict(let id): if store.count(of: Team.self) > 0 { await cache.evict(Ref<Team>(id)) }
      }
    }

    private func verifyBothSidesAgree() async throws {
      let ids = Array(0..<4)
      let members = try await cache.find(ids.map { Ref<Member>($0) }).compactMap(\.self)
      let teams = try await cache.find(ids.map { Ref<Team>($0) }).compactMap(\.self)
      for member in members {
        for team in teams {
          try verifyEqual(
            member.team == team.ref, team.members.contains(member.ref), "\(member) in \(team)")
          try verifyEqual(
            member.leads == team.ref, team.captain == member.ref, "\(member) leads \(team)")
        }
        for other in members {
          try verifyEqual(
            member.friends.contains(other.ref), other.friends.contains(member.ref),
            "\(member) and \(other) are friends")
        }
      }
      try verifyEqual(await cache.audit(), [], "the audit")
    }
  }

  @Test func `both sides of an inverse agree after every write`() throws {
    try Property.check(seeds: 60, steps: 60, generate: Operation.random) { commands, seed in
      try Schedule.run(seed: seed, limit: .max) { schedule in
        let system = try System(seed: seed, executor: schedule.executor)
        for command in commands { try await system.apply(command) }
      }
    }
  }

  @Test func `a change of one side is visible on the other at once`() async throws {
    let cache = try GraphCache(for: Member.self, Team.self)
    try await cache.write { tx in
      try tx.insert(Team(id: 1))
      try tx.insert(Team(id: 2))
      try tx.insert(Member(id: 7, team: 1))
      #expect(tx[Ref<Team>(1)]?.members == [7])
      try tx.update(Ref<Team>(2), \.members, to: [7])
      #expect(tx[Ref<Team>(1)]?.members == [])
      #expect(tx[Ref<Member>(7)]?.team == 2)
    }
    #expect(cache.peek(Ref<Member>(7))?.team == 2)
  }

  /// All other sides see one change, as if a closure had made it.
  @Test func `setting several properties at once is like changing the record`() async throws {
    func records(
      after change: @Sendable (inout GraphCache.Transaction) throws -> Void
    ) async throws -> ([Member?], [Team?]) {
      let cache = try GraphCache(for: Member.self, Team.self)
      try await cache.write { tx in
        try tx.insert(Team(id: 0, members: [0, 1], captain: 1))
        try tx.insert(Team(id: 1, members: [2], captain: 0))
        try tx.insert(Member(id: 0, team: 0, leads: 1, friends: [1]))
        try tx.insert(Member(id: 1, team: 0, leads: 0))
        try tx.insert(Member(id: 2, team: 1, friends: [2]))
      }
      try await cache.write { tx in try change(&tx) }
      #expect(await cache.audit() == [])
      return ((0...2).map { cache.peek(Ref($0)) }, (0...1).map { cache.peek(Ref($0)) })
    }
    let ref = Ref<Member>(0)
    for team in [nil, 0, 1] as [Ref<Team>?] {
      for leads in [nil, 0, 1] as [Ref<Team>?] {
        for friends in [[], [0], [2], [0, 1], [1, 2]] as [[Ref<Member>]] {
          let together = try await records { tx in
            try tx.update(
              ref, .set(\.team, to: team), .set(\.leads, to: leads), .set(\.friends, to: friends))
          }
          let changed = try await records { tx in
            try tx.update(ref) { ($0.team, $0.leads, $0.friends) = (team, leads, friends) }
          }
          #expect(together == changed, "\(String(describing: (team, leads, friends)))")
        }
      }
    }
  }

  /// The update fails at its last property.
  @Test func `a failed update leaves the other side as it was`() async throws {
    let cache = try GraphCache(for: Member.self, Team.self)
    try await cache.write { tx in
      try tx.insert(Team(id: 1))
      try tx.insert(Team(id: 2))
      try tx.insert(Member(id: 7, team: 1))
      do {
        try tx.update(
          Ref<Member>(7), .set(\.team, to: 2), .set(\Member.self, to: Member(id: 8)))
        Issue.record("the identity was changed")
      } catch KinshipError.misuse(.identityChanged) {}
      #expect(tx[Ref<Member>(7)]?.team == 1)
      #expect(tx[Ref<Team>(1)]?.members == [7])
      #expect(tx[Ref<Team>(2)]?.members == [])
    }
    #expect(cache.peek(Ref<Team>(1))?.members == [7])
    #expect(cache.peek(Ref<Team>(2))?.members == [])
  }

  // MARK: Valid inverses

  struct Left: GraphRecord {
    let id: Int
    var right: Ref<Right>?
    static let relationships: Relationships<Left> = [.toOne(\.right, inverse: \.other)]
  }

  struct Right: GraphRecord {
    let id: Int
    var other: Ref<Left>?
    static let relationships: Relationships<Right> = [.ignored(\.other)]
  }

  @Test func `an inverse must lead back`() throws {
    do {
      _ = try GraphSchema(Left.self, Right.self)
      Issue.record("the inverse leads elsewhere")
    } catch KinshipError.invalidSchema(.unsuitableInverse(let type, let relationship)) {
      #expect(type == "Left" && relationship == "right")
    }
  }

  @Test func `a new record takes over only the refs that still name it`() async throws {
    let cache = try GraphCache(for: Member.self, Team.self)
    try await cache.write { tx in
      try tx.insert(Member(id: 1, team: Ref(9)))
      try tx.insert(Team(id: 7))
      try tx.update(Ref<Member>(1), \.team, to: Ref(8))
      try tx.insert(Team(id: 9))
      try tx.insert(Team(id: 8))
    }
    #expect(cache.peek(Ref<Team>(9)) == Team(id: 9))
    #expect(cache.peek(Ref<Team>(8)) == Team(id: 8, members: [Ref(1)]))
  }
}
