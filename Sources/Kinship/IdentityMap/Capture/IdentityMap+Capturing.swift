extension IdentityMap {
  /// Begins to capture this moment: its values, their recency order, and the known-missing ids.
  ///
  /// From now on, whatever is about to change is copied first, until it was taken.
  ///
  /// - Complexity: O(*n*) in the pages, a word each.
  mutating func beginCapture(pieceSize: Int = CapturedLinks.usualPieceSize) {
    captured.begin(pageCount: pages.bases.count)
    recency.beginCapture(pieceSize: pieceSize)
    for operations in operations { beginMissing(operations.type) }
  }

  /// Takes the values that slots had at the captured moment; returns a run for each type among
  /// them.
  ///
  /// The stamps are those of the values. The first value has the rank `firstRank`.
  ///
  /// - Complexity: O(*n*) in the slots.
  mutating func takeCaptured(
    _ slots: [CapturedOrder.Element], firstRank: Int, at moment: Stamp
  ) -> [CapturedRun] {
    var slotsByType = [ContiguousArray<Slot>](repeating: [], count: operations.count)
    var runs = operations.typeNumbers.map { CapturedRun(type: $0, values: (), ranks: [], ages: []) }
    for (position, (slot, stamp)) in slots.enumerated() {
      let type = captured.type(of: slot, in: pages)
      guard runs.indices.contains(type.index) else { continue }
      slotsByType[type].append(slot)
      runs[type].ranks.append(firstRank + position)
      runs[type].ages.append(stamp.age(at: moment))
    }
    runs.removeAll { $0.count == 0 }
    for index in runs.indices {
      let type = runs[index].type
      runs[index].values = takeValues(slotsByType[type], as: elementType(type))
    }
    return runs
  }

  /// Ends a capture; the copies are still to be released.
  mutating func endCapture() {
    captured.end()
    _ = recency.takeCapturedLinks()
    for operations in operations { endMissing(operations.type) }
  }

  // MARK: One type

  private mutating func takeValues<Element: Cacheable>(
    _ slots: ContiguousArray<Slot>, as type: Element.Type
  ) -> any Sendable {
    var values: [Element] = []
    values.reserveCapacity(slots.count)
    for slot in slots {
      if let value = captured.takeValue(slot, as: type, from: pages) { values.append(value) }
    }
    return values
  }

  private func beginMissing<Element: Cacheable>(_ type: Element.Type) {
    table(type)?.pointee.missing.beginCapture()
  }

  private func endMissing<Element: Cacheable>(_ type: Element.Type) {
    table(type)?.pointee.missing.endCapture()
  }

  /// Takes some of the ids that were known missing at the captured moment; `nil` once all were
  /// taken.
  func takeMissing<Element: Cacheable>(limit: Int, as type: Element.Type) -> IDs? {
    guard let table = table(type) else { return nil }
    return table.pointee.missing.takeCaptured(limit: limit).map {
      IDs($0, of: table.pointee.owner)
    }
  }
}

/// Values of one type, with their positions in the recency order and their ages at a captured
/// moment.
struct CapturedRun: Sendable {
  let type: TypeNumber
  /// An array of the type.
  var values: any Sendable
  /// The position of each value in the recency order of all values: 0 for the most recently used.
  ///
  /// Ranks rise within a run, and from one batch of runs to the next. The ranks of values that are
  /// left out are skipped.
  var ranks: [Int]
  /// For each value, the time from its last load, insertion or change to the captured moment.
  var ages: [Age]

  var count: Int { ranks.count }
}
