extension IdentityMap {
  /// Takes over what a transaction has staged of one type.
  ///
  /// What was written since the transaction came to a value is kept, as far as the transaction only
  /// set properties: they are set in the newer value. What was forgotten since stays so.
  ///
  /// - Complexity: O(*n*) in the staged values, on average.
  @inlinable
  mutating func commit<Element: Cacheable>(
    _ staged: inout StagedValues<Element>, as type: Element.Type, isLate: Bool
  ) {
    guard let table = table(type) else { return }
    let stamp = clock.next()
    for position in staged.values.indices {
      if isLate { rebase(&staged.values[position]) }
      // Property by property: a copy of the whole would retain all that either record holds.
      switch staged.values[position].current {
      case .present(let element):
        if staged.values[position].isUntouched { continue }
        let id = staged.values[position].id
        if isLate, case .present = staged.values[position].base,
          knowledge(of: id, as: type).isUnknown
        {
          // It was forgotten since, perhaps because the store has changed it otherwise.
          invalidate(id, in: table)
        } else {
          put(element, stamp, in: table)
        }
      case .missing:
        if case .present = staged.values[position].base {
          _ = remove(staged.values[position].id, in: table)
        }
      case .unknown: continue
      }
    }
  }

  /// Brings a staged value up to what is committed by now.
  @inlinable
  mutating func rebase<Element: Cacheable>(_ value: inout StagedValue<Element>) {
    let now = knowledge(of: value.id, as: Element.self)
    guard case .properties(let changes) = value.edits, case .present(var element) = now else {
      return
    }
    if !_isPOD(Element.self) { dropped.append(value) }
    value.base = now
    for change in changes { change.apply(to: &element) }
    value.current = .present(element)
  }
}
