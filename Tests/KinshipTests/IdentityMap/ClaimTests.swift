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
    case pass([Int])
    case passPresent
    /// An answer arrives, for claims with their slots at hand, or in passing.
    case admit(Int)
    case addPassing([Int])
    case addLoaded([Int])
    case trim(Int)
    case end(place: Int)
    case put(Int)
    case remove(Int)
    case invalidate(Int)
    case evict(Int)
    case blockLoads([Int])
    case unblockLoads
    case removeAll

    static func random(using generator: inout SplitMix64) -> Operation {
      let id = Int.random(in: 0..<12, using: &generator)
      let ids = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
        Int.random(in: 0..<12, using: &generator)
      }
      return switch Int.random(in: 0..<64, using: &generator) {
      case 0..<5: .claim(ids)
      case 5..<9: .claimDistinct(ids)
      case 9..<11: .claimPresent
      case 11..<20: .end(place: id)
      case 20..<30: .put(id)
      case 30..<33: .remove(id)
      case 33..<35: .invalidate(id)
      case 35..<37: .evict(id)
      case 37: .blockLoads(ids)
      case 38: .unblockLoads
      case 39..<44: .pass(ids)
      case 44..<47: .passPresent
      case 47..<57: .admit(id)
      case 57..<60: .addPassing(ids)
      case 60..<62: .addLoaded(ids)
      case 62: .trim(id)
      default: .removeAll
      }
    }
  }

  private final class System {
    private var map: IdentityMap
    /// The claims, with the ids in the order of their slots.
    private var claims: [(claims: Claims, ids: [Int])] = []

    init() throws {
      let schema = try GraphSchema(Node.self)
      map = IdentityMap(
        operations: schema.operations.map(\.table),
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
        let slots = present.compactMap { table.find(.numbered($0), in: map.pages) }
        add(map.claim(slots, of: Self.type), present)
      case .pass(let ids): add(map.claim(Self.erased(ids), passing: true), ids)
      case .passPresent:
        // From the least recently used end, and without a change of the order.
        let slots = map.slots(mostRecentFirst: false, limit: 3)
        let ids = slots.map { map.pages.pointer(to: $0, as: Node.self).pointee.id.number }
        add(map.claim(slots, of: Self.type, passing: true), ids)
        try verifyEqual(map.slots(mostRecentFirst: false, limit: 3), slots, "the order of use")
      case .admit(let id):
        if map.isMissing(.numbered(id), as: Node.self) { break }
        let (before, isPassing) = (present, letsPass(id))
        let node = Node(id: .numbered(id))
        _ = map.addLoaded([node], 0..<1, passing: isPassing, in: table)
        if isPassing { try verifyEqual(present, before.union([id]), "who is there with a guest") }
      case .addPassing(let ids):
        let values = Set(ids).sorted().map { Node(id: .numbered($0)) }
        let (before, order) = (present, map.slots(mostRecentFirst: true, limit: .max))
        _ = map.addLoaded(values, values.indices, passing: true, in: table)
        // Others wait for some of them, or a record that waits for eviction is in the order.
        if claims.isEmpty {
          try verify(before.isSubset(of: present), "some made room for what passes")
          let now = map.slots(mostRecentFirst: true, limit: .max)
          try verifyEqual(Array(now.prefix(order.count)), order, "the order of use")
        }
      case .addLoaded(let ids):
        let values = Set(ids).sorted().map { Node(id: .numbered($0)) }
        _ = map.addLoaded(values, values.indices, passing: false, in: table)
      case .trim(let count): _ = map.trim(to: count)
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
      case .blockLoads(let ids): _ = map.blockLoads(Self.erased(ids), as: Node.self)
      case .unblockLoads:
        for ids in map.takeBlocked(Node.self)() { _ = map.unblockLoads(ids, as: Node.self) }
      case .removeAll: map.removeAll()
      }
      try verifyState()
    }

    private var claimed: Set<Int> { Set(claims.flatMap(\.ids)) }

    private var present: Set<Int> {
      Set((0..<12).filter { map.contains(.numbered($0), as: Node.self) })
    }

    /// Whether all claims of an id allow its value to pass.
    private func letsPass(_ id: Int) -> Bool {
      guard let table = map.table(Node.self) else { return false }
      let tag = SlotIndex.tag(of: CollidingID.numbered(id))
      let place = table.claim(to: .numbered(id), tag, map.claims[0])
      return place != 0 && map.claims[0].pointee[place].isPassing
    }

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

  @Test func `claims keep their slots and their values`() throws {
    try Property.check(seeds: 100, steps: 120, generate: Operation.random) { _ in
      try System()
    } apply: { system, operation in
      try system.apply(operation)
    }
  }
}
