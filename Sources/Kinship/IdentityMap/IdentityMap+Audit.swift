/// The findings of an audit about one table.
private struct TableAudit: Sendable {
  var slots: [Slot] = []
  var held: Int = 0
  /// The numbers of claimed values in the recency order, and of those claimed only by `passing`
  /// calls.
  var (kept, passing): (Int, Int) = (0, 0)
  var guests: Int = 0
  var cost: Int = 0
  var failures: [String] = []
}

extension IdentityMap {
  /// Checks every structure against every other; returns the inconsistencies, in words.
  ///
  /// - Complexity: O(*n*) in the slots ever used.
  func audit() -> [String] {
    var failures: [String] = []
    var total = 0
    var totalCost = 0
    var held = 0
    var (kept, passing, invited) = (0, 0, 0)
    var slots: Set<Slot> = []
    for operations in operations {
      let table = auditTable(of: operations.type)
      failures += table.failures
      total += table.slots.count
      totalCost += table.cost
      held += table.held
      kept += table.kept
      passing += table.passing
      invited += table.guests
      slots.formUnion(table.slots)
    }
    if slots.count != total { failures.append("two ids share a slot") }
    if total != count { failures.append("count \(count), in the tables \(total)") }
    if totalCost != cost { failures.append("cost \(cost), in the tables \(totalCost)") }
    var linked = 0
    var slot = recency.first
    var previous = Slot.none
    while slot != .none, linked <= total {
      if !slots.contains(slot) { failures.append("\(slot) is linked but in no table") }
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
    if isOverLimits, linked > kept, passingCount == 0 { failures.append("over the limits at rest") }
    if passing != passingCount { failures.append("\(passingCount) pass, claimed so \(passing)") }
    if invited != guests.count { failures.append("\(guests.count) guests, claimed \(invited)") }
    let expected = limits.adding(count: invited, cost: guests.values.reduce(0, +))
    if room.count != expected.count || room.cost != expected.cost {
      failures.append("there is room for \(room), not for \(expected)")
    }
    return failures
  }

  private func auditTable<Element: Cacheable>(of type: Element.Type) -> TableAudit {
    var audit = TableAudit()
    guard let table = table(type) else { return audit }
    table.pointee.index.forEach { slot in
      let element = pages.pointer(to: slot, as: type).pointee
      audit.slots.append(slot)
      audit.cost += element.effectiveCost
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
    if audit.slots.count != table.pointee.index.count {
      audit.failures.append("the index counts \(table.pointee.index.count) entries")
    }
    if audit.cost != table.pointee.cost {
      audit.failures.append("the table's cost is \(table.pointee.cost), not \(audit.cost)")
    }
    return audit
  }

  private func auditClaims<Element: Cacheable>(
    in table: UnsafeMutablePointer<RecordTable<Element>>, _ audit: inout TableAudit
  ) {
    let claims = claims[table.pointee.owner]
    var present = 0
    claims.pointee.index.forEach { slot in
      let place = slot.rawValue
      let id = table.pointee.claimedIDs[Int(place) &- 1]
      let row = claims.pointee[place]
      if row.slot != .none { present &+= 1 }
      if row.claimants == 0 { audit.failures.append("nobody has the claim to \(id)") }
      if row.slot != table.find(id, in: pages) ?? .none {
        audit.failures.append("the claim to \(id) does not lead to where it is")
      }
      if row.isPassing { audit.passing += 1 }
      if row.slot != .none, !recency.isHeld(row.slot) {
        audit.kept += 1
        if !row.isPassing { audit.failures.append("\(id) is claimed and not held") }
      }
      if guests[Guest(type: table.pointee.owner, place: place)] != nil {
        audit.guests += 1
        if !row.isPassing || row.slot == .none { audit.failures.append("\(id) is no guest") }
      }
      if row.isBarred != isBarred(id, in: table) {
        audit.failures.append("\(id): barred \(row.isBarred), wrongly")
      }
    }
    if present != audit.held + audit.kept {
      audit.failures.append(
        "\(present) claimed values, \(audit.held) held and \(audit.kept) in order")
    }
  }
}
