import KinshipTestSupport
import Testing

@testable import Kinship

/// Claims beside a count for each id.
struct ClaimTests {
  private typealias Node = TestNode<CollidingID>

  private enum Operation: Command {
    case claim([Int])
    case claimDistinct([Int])
    case claimPresent
    case end(place: Int)
    case put(Int)
    case remove(Int)
    case invalidate(Int)
    case evict(Int)
    case bar([Int])
    case unbar
    case removeAll

    static func random(using generator: inout SplitMix64) -> Operation {
      let id = Int.random(in: 0..<12, using: &generator)
      let ids = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
        Int.random(in: 0..<12, using: &generator)
      }
      return switch Int.random(in: 0..<40, using: &generator) {
      case 0..<5: .claim(ids)
      case 5..<9: .claimDistinct(ids)
      case 9..<11: .claimPresent
      case 11..<20: .end(place: id)
      case 20..<30: .put(id)
      case 30..<33: .remove(id)
      case 33..<35: .invalidate(id)
      case 35..<37: .evict(id)
      case 37: .bar(ids)
      case 38: .unbar
      default: .removeAll
      }
    }
  }

  private final class System {
    private var map: IdentityMap
    /// What was claimed, with the ids in the order of the places.
    private var claims: [(claims: Claims, ids: [Int])] = []

    init() throws {
      let schema = try GraphSchema(Node.self)
      map = IdentityMap(
        operations: schema.entries.map(\.tableOperations),
        limits: Limits(count: 5, cost: .max), isAuthoritative: false)
    }

    func apply(_ operation: Operation) throws {
      guard let table = map.table(Node.self) else { return }
      switch operation {
      case .claim(let ids):
        add(map.claim(Self.erased(ids)), ids)
      case .claimDistinct(let ids):
        let (first, rest) = (ids.prefix(2), ids.dropFirst(2))
        let pieces = [Self.erased(Array(first)), Self.erased(Array(rest))]
        var seen: Set<Int> = []
        var turn: UInt32?
        for (piece, ids) in zip(pieces, [first, rest]) {
          add(
            map.claimDistinct([piece], of: Self.type, &turn),
            ids.filter { seen.insert($0).inserted })
        }
      case .claimPresent:
        let present = (0..<12).filter { map.contains(.numbered($0), as: Node.self) }
        let slots = present.compactMap { table.pointee.find(.numbered($0), in: map.pages) }
        add(map.claim(slots, of: Self.type), present)
      case .end(let place):
        if claims.isEmpty { break }
        map.end(claims.remove(at: place % claims.count).claims)
        map.evictOverflow()
      case .put(let id): map.put(Node(id: .numbered(id)), in: table)
      case .remove(let id): _ = map.remove(.numbered(id), in: table)
      case .invalidate(let id): map.invalidate(.numbered(id), in: table)
      case .evict(let id):
        let mayGo = map.contains(.numbered(id), as: Node.self) && !claimed.contains(id)
        try verifyEqual(map.evict(.numbered(id), as: Node.self), mayGo, "whether \(id) went")
      case .bar(let ids): _ = map.bar(Self.erased(ids), as: Node.self)
      case .unbar:
        for ids in map.takeBarred(Node.self)() { _ = map.unbar(ids, as: Node.self) }
      case .removeAll: map.removeAll()
      }
      try verifyState()
    }

    private var claimed: Set<Int> { Set(claims.flatMap(\.ids)) }

    private static let type = TypeNumber(0)

    private static func erased(_ ids: [Int]) -> IDs {
      IDs(ids.map(CollidingID.numbered), of: type)
    }

    private func add(_ claimed: Claims, _ ids: [Int]) { claims.append((claimed, ids)) }

    private func verifyState() throws {
      try verifyEqual(map.audit(), [], "the audit")
      try verifyEqual(map.claims[0].pointee.count, claimed.count, "how many ids are claimed")
      for (claims, ids) in claims {
        let found = map.ids(of: claims).of(Node.self)
        try verifyEqual(found.map(\.number), ids, "the ids")
        let present = ids.count { map.contains(.numbered($0), as: Node.self) }
        try verifyEqual(map.countPresent(claims), present, "how many are in memory")
      }
    }
  }

  @Test func claimsKeepTheirPlacesAndTheirValues() throws {
    try Property.check(seeds: 100, steps: 120, generate: Operation.random) { _ in
      try System()
    } apply: { system, operation in
      try system.apply(operation)
    }
  }
}
