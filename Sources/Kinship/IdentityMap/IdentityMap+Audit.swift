/// The findings of an audit about the tables.
private struct TableAudit: Sendable {
  /// The number of values, and their slots.
  var count = 0
  var slots: Set<Slot> = []
  var held = 0
  /// The number of claimed values.
  var present = 0
  /// The numbers of claimed values in the recency order, and of those claimed only by `passing`
  /// calls.
  var (kept, passing) = (0, 0)
  var passingClaims = 0
  var cost = 0
  var failures: [String] = []
}

extension IdentityMap {
  /// Checks every structure against every other; returns the inconsistencies, in words.
  ///
  /// - Complexity: O(*n*) in the slots ever used.
  func audit() -> [String] {
    var tables = TableAudit()
    for operations in operations { auditTable(of: operations.type, &tables) }
    let (total, held) = (tables.count, tables.held)
    var failures = tables.failures
    if tables.present != held + tables.kept {
      failures.append("\(tables.present) claimed values, \(held) held, \(tables.kept) in order")
    }
    if tables.slots.count != total { failures.append("two ids share a slot") }
    if total != count { failures.append("count \(count), in the tables \(total)") }
    if tables.cost != cost { failures.append("cost \(cost), in the tables \(tables.cost)") }
    var linked = 0
    var slot = recency.first
    var previous = Slot.none
    while slot != .none, linked <= total {
      if !tables.slots.contains(slot) { failures.append("\(slot) is linked but in no table") }
      if recency.before(slot) != previous { failures.append("the links at \(slot) disagree") }
      linked += 1
      previous = slot
      slot = recency.after(slot)
    }
    if recency.last != previous { failures.append("the list ends elsewhere than it says") }
    if linked + held != total { failures.append("\(linked) linked and \(held) held of \(total)") }
    var occupied = 0
    for page in 0..<pages.headers.count { occupied += pages.headers[page].occupied.nonzeroBitCount }
    if occupied != total { failures.append("\(occupied) slots are occupied, \(total) in tables") }
    for page in 0..<pages.bases.count where pages.bases[page] != nil {
      let header = pages.headers[page]
      let isOpen = header.openPosition >= 0
      if isOpen == (header.occupied == .max) {
        failures.append("page \(page) is listed as having room, wrongly")
      }
      if isOpen, pages.open[Int(header.owner)][Int(header.openPosition)] != UInt32(page) {
        failures.append("page \(page) is not where it says in the list of pages with room")
      }
    }
    // A lease makes values of `passing` calls count: the limits hold again when no such call runs.
    if isOverLimits, linked > tables.kept, passingCount == 0 {
      failures.append("over the limits at rest")
    }
    if tables.passing != passingCount {
      failures.append("\(passingCount) pass, claimed so \(tables.passing)")
    }
    let counted = tables.passingClaims
    if counted != passingClaims.count {
      failures.append("\(passingClaims.count) passing claims, claimed \(counted)")
    }
    let expected = limits.adding(count: counted, cost: passingClaims.values.reduce(0, +))
    if room.count != expected.count || room.cost != expected.cost {
      failures.append("there is room for \(room), not for \(expected)")
    }
    return failures
  }

  private func auditTable<Element: Cacheable>(of type: Element.Type, _ audit: inout TableAudit) {
    guard let table = table(type) else { return }
    var (count, cost) = (0, 0)
    table.pointee.index.forEach { slot in
      let element = pages.pointer(to: slot, as: type).pointee
      audit.slots.insert(slot)
      count += 1
      cost += element.effectiveCost
      if pages.type(of: slot) != table.pointee.owner || !pages.isOccupied(slot) {
        audit.failures.append("\(element.id) is in a slot of another type or a free one")
      }
      if table.find(element.id, in: pages) != slot {
        audit.failures.append("\(element.id) cannot be found")
      }
      if recency.isHeld(slot) { audit.held += 1 }
      if table.pointee.missing.contains(element.id) {
        audit.failures.append("\(element.id) is present and known missing")
      }
    }
    auditClaims(in: table, &audit)
    if count != table.pointee.index.count {
      audit.failures.append("the index counts \(table.pointee.index.count) entries")
    }
    if cost != table.pointee.cost {
      audit.failures.append("the table's cost is \(table.pointee.cost), not \(cost)")
    }
    audit.count += count
    audit.cost += cost
  }

  private func auditClaims<Element: Cacheable>(
    in table: UnsafeMutablePointer<RecordTable<Element>>, _ audit: inout TableAudit
  ) {
    let claims = claims[table.pointee.owner]
    claims.pointee.index.forEach { slot in
      let place = slot.rawValue
      let id = table.pointee.claimedIDs[Int(place) &- 1]
      let row = claims.pointee[place]
      if row.slot != .none { audit.present += 1 }
      if row.claimants == 0 { audit.failures.append("nobody has the claim to \(id)") }
      if row.slot != table.find(id, in: pages) ?? .none {
        audit.failures.append("the claim to \(id) does not lead to where it is")
      }
      if row.isPassing { audit.passing += 1 }
      if row.slot != .none, !recency.isHeld(row.slot) {
        audit.kept += 1
        if !row.isPassing { audit.failures.append("\(id) is claimed and not held") }
      }
      if passingClaims[PassingClaim(type: table.pointee.owner, place: place)] != nil {
        audit.passingClaims += 1
        if !row.isPassing || row.slot == .none {
          audit.failures.append("\(id) is not marked as read in passing")
        }
      }
      if row.isBlocked != isBlocked(id, in: table) {
        audit.failures.append("\(id): blocked \(row.isBlocked), wrongly")
      }
    }
  }
}
