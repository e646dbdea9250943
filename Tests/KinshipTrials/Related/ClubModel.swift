package import Kinship
package import KinshipTesting

/// A member with every kind of relationship to others.
package struct Member: GraphRecord, Codable, Equatable {
  package let id: Int
  package var rank: Int
  package var name: String?
  package var boss: Ref<Member>?
  package var best: Ref<Member>
  package var club: Ref<Club>?
  package var friends: [Ref<Member>]
  package var clubs: [Ref<Club>]

  package init(
    id: Int, rank: Int, name: String? = nil, boss: Ref<Member>?, best: Ref<Member>,
    club: Ref<Club>? = nil, friends: [Ref<Member>], clubs: [Ref<Club>]
  ) {
    (self.id, self.rank, self.name, self.boss, self.best) = (id, rank, name, boss, best)
    (self.club, self.friends, self.clubs) = (club, friends, clubs)
  }

  package static let relationships: Relationships<Member> = [
    .toOne(\.boss, onTargetDelete: DeleteRule.none),
    .toOne(\.best, onTargetDelete: DeleteRule.none),
    .toOne(\.club, onTargetDelete: DeleteRule.none),
    .toMany(\.friends, onTargetDelete: DeleteRule.none),
    .toMany(\.clubs, onTargetDelete: DeleteRule.none),
  ]

  package static func random(id: Int, using random: inout SplitMix64) -> Member {
    // Some refs are dangling, lead to the member itself, or are repeated.
    func member() -> Ref<Member> { Ref(Int.random(in: 0...ClubModel.most, using: &random)) }
    func club() -> Ref<Club> { Ref("\(Int.random(in: 0...ClubModel.most, using: &random))") }
    func list<Value>(_ make: () -> Value) -> [Value] {
      let few = (0..<Int.random(in: 0...2, using: &random)).map { _ in make() }
      return Bool.random(using: &random) ? few + few.prefix(1) : few
    }
    return Member(
      id: id, rank: Int.random(in: 0...5, using: &random),
      name: Bool.random(using: &random) ? nil : ["a", "b"].randomElement(using: &random),
      boss: Bool.random(using: &random) ? nil : member(), best: member(),
      club: Bool.random(using: &random) ? nil : club(), friends: list(member), clubs: list(club))
  }
}

/// The clubs of members.
///
/// The ids are texts.
package struct Club: GraphRecord, Codable, Equatable {
  package let id: String
  package var rank: Int
  package var head: Ref<Member>
  package var deputy: Ref<Member>?
  package var members: [Ref<Member>]

  package init(
    id: String, rank: Int, head: Ref<Member>, deputy: Ref<Member>? = nil, members: [Ref<Member>]
  ) {
    (self.id, self.rank, self.head) = (id, rank, head)
    (self.deputy, self.members) = (deputy, members)
  }

  package static let relationships: Relationships<Club> = [
    .toOne(\.head, onTargetDelete: DeleteRule.none),
    .toOne(\.deputy, onTargetDelete: DeleteRule.none),
    .toMany(\.members, onTargetDelete: DeleteRule.none),
  ]

  package static func random(id: String, using random: inout SplitMix64) -> Club {
    let one = Member.random(id: 0, using: &random)
    return Club(id: id, rank: one.rank, head: one.best, deputy: one.boss, members: one.friends)
  }
}

/// Members and clubs, for the reference model.
package struct ClubModel: Sendable {
  /// The highest number of an id.
  ///
  /// Not all ids have a record.
  package static let most = 9

  package var members: [Int: Member] = [:]
  package var clubs: [String: Club] = [:]

  package init() {}

  /// Records made from a seed.
  package init(count: Int, using random: inout SplitMix64) {
    for _ in 0..<count {
      let id = Int.random(in: 0...Self.most, using: &random)
      members[id] = .random(id: id, using: &random)
      let other = "\(Int.random(in: 0...Self.most, using: &random))"
      clubs[other] = .random(id: other, using: &random)
    }
  }

  /// The insertions of all records.
  package var insertions: ChangeSet {
    ChangeSet(inserting: Array(members.values))
      .merging(ChangeSet(inserting: Array(clubs.values)))
  }

  /// A put or a deletion of one record.
  package enum Change: Sendable {
    case member(Int, Member?)
    case club(String, Club?)

    package static func random(using random: inout SplitMix64) -> Change {
      let (id, isDeleted) = (Int.random(in: 0...most, using: &random), random.next() % 4 == 0)
      return Bool.random(using: &random)
        ? .member(id, isDeleted ? nil : .random(id: id, using: &random))
        : .club("\(id)", isDeleted ? nil : .random(id: "\(id)", using: &random))
    }

    package func make(in tx: inout GraphCache.Transaction) throws {
      func make<R: GraphRecord>(_ ref: Ref<R>, _ record: R?) throws {
        if let record {
          try tx.put(record)
        } else if tx.contains(ref) {
          try tx.delete(ref)
        }
      }
      switch self {
      case .member(let id, let member): try make(Ref(id), member)
      case .club(let id, let club): try make(Ref(id), club)
      }
    }
  }

  package mutating func make(_ change: Change) {
    switch change {
    case .member(let id, let member): members[id] = member
    case .club(let id, let club): clubs[id] = club
    }
  }

  /// The records of a type.
  func all<R: GraphRecord>(_ type: R.Type) -> [R] {
    (Array(members.values) as? [R] ?? []) + (Array(clubs.values) as? [R] ?? [])
  }
}

/// Both have an integer to sort by.
package protocol Ranked: GraphRecord, Equatable where ID: Comparable {
  var rank: Int { get }
  static var byRank: any KeyPath<Self, Int> & Sendable { get }
}

extension Member: Ranked {
  package static var byRank: any KeyPath<Member, Int> & Sendable { \.rank }
}

extension Club: Ranked {
  package static var byRank: any KeyPath<Club, Int> & Sendable { \.rank }
}
