import KinshipTestSupport

@testable import Kinship

/// A captured map, beside a copy of its contents when the capture began.
///
/// Ids are spread over two types, so that pages change types.
final class MapBesideCopies {
  struct Item<Kind: Sendable>: GraphRecord {
    var id: Int
    var content: Tracked<Int>

    static var recordName: String { "\(Kind.self)" }
  }

  /// The map's knowledge of one id.
  struct Known: Hashable {
    let id: Int
    let content: Int
    let age: Age
  }

  private struct Capture {
    /// In recency order, held ones first.
    let known: [Known]
    let missing: Set<Int>
    let links: [[UInt32]]
    var nextPiece = 0
    var order: CapturedOrder?
    let moment: Stamp
    var taken = 0
    var takenMissing: Set<Int> = []
    var nextType = 0
  }

  private typealias Even = Item<Int>
  private typealias Odd = Item<String>

  private var map: IdentityMap
  private let clock = ManualClock()
  private let tracker: LifetimeTracker
  private let schema: GraphSchema
  private var capture: Capture?
  private var claims: [Claims] = []
  private var lastContent = 0

  init(seed: UInt64, _ tracker: LifetimeTracker) throws {
    schema = try GraphSchema(Even.self, Odd.self)
    let capacity = seed.isMultiple(of: 2) ? Int.max : 200
    map = IdentityMap(
      operations: schema.operations.map(\.table),
      limits: Limits(count: capacity, cost: .max),
      isAuthoritative: false, clock: clock)
    self.tracker = tracker
  }

  func verifyState() throws { try verifyEqual(map.audit(), [], "the audit") }

  // MARK: Capturing

  func beginCapture(pieceSize: Int) {
    if capture != nil { endCapture() }
    capture = Capture(
      known: knownNow(), missing: missingNow(),
      links: (0..<map.recency.links.count).map { map.recency.links[$0].words },
      moment: map.clock.now)
    map.beginCapture(pieceSize: pieceSize)
  }

  func takeLinks() throws {
    guard var taking = capture, taking.order == nil else { return }
    if map.recency.captureLinks(taking.nextPiece) {
      taking.nextPiece += 1
    } else {
      let links = map.recency.takeCapturedLinks()
      let found = (0..<UInt32(links.count)).map { links[$0].words }
      try verify(found == taking.links, "the captured links are not those of the moment")
      taking.order = CapturedOrder(links)
    }
    capture = taking
  }

  func takeValues(_ count: Int) throws {
    guard var taking = capture, var order = taking.order else { return }
    var slots: [CapturedOrder.Element] = []
    while slots.count < count, let slot = order.next() { slots.append(slot) }
    let runs = map.takeCaptured(slots, firstRank: taking.taken, at: taking.moment)
    var found: [(rank: Int, known: Known)] = []
    for run in runs {
      let evens = (run.values as? [Even])?.map { ($0.id, $0.content) }
      let items = evens ?? (run.values as? [Odd])?.map { ($0.id, $0.content) } ?? []
      for (number, (id, content)) in items.enumerated() {
        let known = Known(id: id, content: content.value, age: run.ages[number])
        found.append((run.ranks[number], known))
      }
    }
    found.sort { $0.rank < $1.rank }
    let end = min(taking.taken + count, taking.known.count)
    try verifyEqual(found.map(\.rank), Array(taking.taken..<end), "the ranks")
    let expected = Array(taking.known[taking.taken..<end])
    try verifyEqual(found.map(\.known), expected, "what was captured")
    taking.taken = end
    taking.order = order
    capture = taking
    if end == taking.known.count {
      try verify(map.captured.savedPages.isEmpty, "copies are kept that were taken")
    }
  }

  func takeMissing(_ limit: Int) throws {
    guard var taking = capture, taking.nextType < 2 else { return }
    let type = taking.nextType
    let taken =
      type == 0
      ? map.takeMissing(limit: limit, as: Even.self)?.of(Even.self)
      : map.takeMissing(limit: limit, as: Odd.self)?.of(Odd.self)
    if let ids = taken {
      try verify(ids.count <= limit, "more ids than were asked for")
      try verify(taking.takenMissing.isDisjoint(with: ids), "ids are given twice")
      taking.takenMissing.formUnion(ids)
    } else {
      taking.nextType += 1
      if taking.nextType == 2 {
        try verifyEqual(taking.takenMissing, taking.missing, "what was known missing")
      }
    }
    capture = taking
  }

  func endCapture() {
    capture = nil
    map.endCapture()
    while map.captured.takeSavedPages(limit: 1) != nil {}
  }

  private func knownNow() -> [Known] {
    let slots = (1..<UInt32(map.recency.links.count)).map { Slot($0) }
    let held = slots.filter { map.recency.isHeld($0) }
    return (held + map.slots(mostRecentFirst: true, limit: .max)).map { slot in
      let age = map.recency.stamp(of: slot).age(at: map.clock.now)
      let element = map.element(in: slot)
      if let item = element as? Even {
        return Known(id: item.id, content: item.content.value, age: age)
      }
      let item = element as? Odd
      return Known(id: item?.id ?? -1, content: item?.content.value ?? -1, age: age)
    }
  }

  private func missingNow() -> Set<Int> {
    Set(
      (0..<400).filter {
        $0.isMultiple(of: 2) ? map.isMissing($0, as: Even.self) : map.isMissing($0, as: Odd.self)
      })
  }

  // MARK: Changing

  private func content() -> Tracked<Int> {
    lastContent += 1
    return tracker.track(lastContent)
  }

  /// Calls one of two closures, by the type of an id.
  private func choose<Result>(
    _ id: Int, _ even: (UnsafeMutablePointer<RecordTable<Even>>) throws -> Result,
    _ odd: (UnsafeMutablePointer<RecordTable<Odd>>) throws -> Result
  ) rethrows -> Result? {
    if id.isMultiple(of: 2) { return try map.table(Even.self).map(even) }
    return try map.table(Odd.self).map(odd)
  }

  func put(_ id: Int) {
    _ = choose(id) {
      map.put(Even(id: id, content: content()), in: $0)
    } _: {
      map.put(Odd(id: id, content: content()), in: $0)
    }
  }

  func update(_ id: Int) {
    _ = choose(id) {
      var replaced: Tracked<Int>?
      return map.update(id, \.content, to: content(), in: $0, replacing: &replaced)
    } _: {
      var replaced: Tracked<Int>?
      return map.update(id, \.content, to: content(), in: $0, replacing: &replaced)
    }
  }

  /// An update that is undone.
  func updateIdentity(of id: Int) throws {
    guard let table = map.table(Even.self), map.contains(id, as: Even.self) else { return }
    var replaced: Int?
    guard
      case .identityChanged(-1) = map.update(id, \.id, to: -1, in: table, replacing: &replaced)
    else {
      throw Mismatch("an identity was changed")
    }
  }

  func commit(_ ids: [Int]) {
    let staging = Staging()
    for id in ids {
      let isDeletion = id.isMultiple(of: 5)
      _ = choose(id) { _ in
        staging.table(TypeNumber(0), of: Even.self).values.withLock {
          $0.set(
            isDeletion ? .missing : .present(Even(id: id, content: content())), for: id, map)
        }
      } _: { _ in
        staging.table(TypeNumber(1), of: Odd.self).values.withLock {
          $0.set(isDeletion ? .missing : .present(Odd(id: id, content: content())), for: id, map)
        }
      }
    }
    for entry in staging.tables {
      schema.operations[entry.type].commit(entry.table, 0..<entry.table.count, &map)
    }
  }

  func read(_ id: Int) {
    _ = choose(id) { _ in
      _ = map.read(id, as: Even.self)
    } _: { _ in
      _ = map.read(id, as: Odd.self)
    }
  }

  func read(_ ids: [Int]) {
    map.read(ids.filter { $0.isMultiple(of: 2) }, as: Even.self) { _ in }
    map.read(ids.filter { !$0.isMultiple(of: 2) }, as: Odd.self) { _ in }
  }

  func remove(_ id: Int) {
    _ = choose(id) {
      _ = map.remove(id, in: $0)
    } _: {
      _ = map.remove(id, in: $0)
    }
  }

  func invalidate(_ id: Int) {
    _ = choose(id) {
      map.invalidate(id, in: $0)
    } _: {
      map.invalidate(id, in: $0)
    }
  }

  func evict(_ id: Int) {
    _ = choose(id) { _ in
      map.evict(id, as: Even.self)
    } _: { _ in
      map.evict(id, as: Odd.self)
    }
  }

  func trim(to count: Int) { _ = map.trim(to: count) }

  func removeAll() { map.removeAll() }

  func claim(_ ids: [Int]) {
    for type in 0..<2 {
      claims.append(map.claim(IDs(ids.filter { abs($0 % 2) == type }, of: TypeNumber(type))))
    }
  }

  func endClaim(_ index: Int) {
    guard claims.indices.contains(index) else { return }
    map.end(claims.remove(at: index))
    map.evictOverflow()
  }

  func restore(_ ids: [Int]) throws {
    let first = map.recency.first
    map.beginRestoring()
    for id in ids {
      let stamp = map.clock.now.before(by: Age(tenths: UInt32(id)))
      _ = choose(id) {
        map.restore(Even(id: id, content: content()), stamp, in: $0)
      } _: {
        map.restore(Odd(id: id, content: content()), stamp, in: $0)
      }
    }
    map.endRestoring()
    let isBehind = first == .none || map.recency.first == first
    try verify(isBehind, "what was restored is the most recently used")
  }

  func pass(_ tenths: Int) { clock.advance(by: .milliseconds(tenths * 100)) }
}

extension RecencyList.Link {
  /// All that a link says.
  var words: [UInt32] { [previous, next, tag, stamp.rawValue] }
}
