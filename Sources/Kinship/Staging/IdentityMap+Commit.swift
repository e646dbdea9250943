extension IdentityMap {
  /// Takes over what a transaction has staged of one type.
  ///
  /// What was written since the transaction came to a value is kept, as far as the transaction only
  /// set properties: they are set in the newer value. What was forgotten since stays so.
  ///
  /// - Complexity: O(*n*) in the staged values, on average.
  mutating func commit<Element: Cacheable>(
    _ staged: inout StagedValues<Element>, as type: Element.Type, isLate: Bool
  ) {
    guard let table = table(type) else { return }
    let stamp = clock.next()
    for position in staged.values.indices {
      if isLate { rebase(&staged.values[position]) }
      let id = staged.values[position].id
      // Property by property: a copy of the whole would retain all that either record holds.
      switch staged.values[position].current {
      case .present(let element):
        if staged.values[position].isUntouched { continue }
        if isLate, isOutdated(staged.values[position]) {
          // It was forgotten since, perhaps because the store has changed it otherwise.
          if !outdate(id, in: table) { invalidate(id, in: table) }
        } else if !setCommitted(.present(element), of: id, in: table) {
          put(element, stamp, in: table)
        }
      case .missing:
        guard case .present = staged.values[position].base else { continue }
        if !setCommitted(.missing, of: id, in: table) { _ = remove(id, in: table) }
      case .unknown: continue
      }
    }
  }

  /// Whether it can no longer be told what a value is that was staged on top of another: that was
  /// forgotten, or written since, and the store has made but what differs from it.
  func isOutdated<Element: Cacheable>(_ value: StagedValue<Element>) -> Bool {
    guard !isAuthoritative, case .present(let base) = value.base else { return false }
    let now = committed(value.id, as: Element.self)
    guard case .present(let current) = now else { return now.isUnknown }
    guard case .whole = value.edits else { return false }
    return Values.areEqual(base, current) == false
  }

  /// Brings a staged value up to what is committed by now.
  mutating func rebase<Element: Cacheable>(_ value: inout StagedValue<Element>) {
    let now = committed(value.id, as: Element.self)
    guard case .properties(let changes) = value.edits, case .present(var element) = now else {
      return
    }
    if !_isPOD(Element.self) { dropped.append(value) }
    value.base = now
    for change in changes { change.apply(to: &element) }
    value.current = .present(element)
  }
}
