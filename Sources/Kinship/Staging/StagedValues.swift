/// A transaction's changes of one type, in the order in which it staged each value.
@usableFromInline
struct StagedValues<Element: Cacheable>: Sendable {
  /// The position of each id, once there are more than a few.
  @usableFromInline var positions = IDPositions<Element.ID>()
  @usableFromInline var values: ContiguousArray<StagedValue<Element>> = []
  /// The positions in the order of their changes, from which an index catches up.
  @usableFromInline var log = StagedLog()
  /// The end of the last step in the log.
  @usableFromInline var stepEnd = 0
  /// The store's answers for ids, whether or not the map still remembers them.
  @usableFromInline var storeAnswers: [Element.ID: Knowledge<Element>] = [:]
  /// Whether the base values are the committed ones, also for ids that have pending writes.
  @usableFromInline let usesBaseValues: Bool
  /// The values replaced while the cache's lock is held, under which they must not be destroyed.
  @usableFromInline var replaced: ContiguousArray<StagedValue<Element>>?

  @inlinable
  init(usesBaseValues: Bool = false) { self.usesBaseValues = usesBaseValues }

  /// Returns the transaction's value of an id: its own change, or the base value.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func read(_ id: Element.ID, _ map: borrowing IdentityMap) -> Knowledge<Element> {
    if let position = position(of: id) { return values[position].current }
    return base(of: id, map)
  }

  /// Returns the transaction's base value of an id.
  @inlinable
  @inline(__always)  // For an unknown type, a call takes longer than its work.
  func base(of id: Element.ID, _ map: borrowing IdentityMap) -> Knowledge<Element> {
    if !storeAnswers.isEmpty { return baseOrAnswer(of: id, map) }
    return usesBaseValues
      ? map.committed(id, as: Element.self) : map.knowledge(of: id, as: Element.self)
  }

  @usableFromInline
  func baseOrAnswer(of id: Element.ID, _ map: borrowing IdentityMap) -> Knowledge<Element> {
    let known =
      usesBaseValues
      ? map.committed(id, as: Element.self) : map.knowledge(of: id, as: Element.self)
    return known.isUnknown ? storeAnswers[id] ?? .unknown : known
  }

  /// Returns the table of the map, if the transaction sees exactly its values.
  func tableIfUnstaged(
    _ map: borrowing IdentityMap
  ) -> UnsafeMutablePointer<RecordTable<Element>>? {
    let isHidden =
      !values.isEmpty || !storeAnswers.isEmpty || (usesBaseValues && map.pendingCount > 0)
    return isHidden ? nil : map.table(Element.self)
  }

  /// Returns the base values of ids that have pending writes, except for those that are staged.
  ///
  /// - Complexity: O(*n*) in the ids of the type that are pending.
  func pendingBaseValues(in map: borrowing IdentityMap) -> [Element.ID: Knowledge<Element>] {
    guard usesBaseValues, map.pendingCount > 0, let table = map.table(Element.self) else {
      return [:]
    }
    return table.pointee.baseValues.filter { position(of: $0.key) == nil }.mapValues {
      $0.committed
    }
  }

  /// Drops the staged values, but not the store's answers.
  @inlinable
  mutating func clear() {
    positions = IDPositions()
    values = []
    log = StagedLog()
    stepEnd = 0
  }

  // MARK: One transaction after another

  /// Removes and returns the values staged since the last step, and continues as if they were
  /// committed.
  ///
  /// - Complexity: O(*n*) in the values staged since.
  mutating func takeStep() -> StagedValues {
    var step = StagedValues(usesBaseValues: usesBaseValues)
    for change in stepEnd..<log.count where !values[log[change]].isUntouched {
      step.append(values[log[change]])
      values[log[change]].advance()
    }
    stepEnd = log.count
    return step
  }

  /// Drops the values staged since the last step.
  ///
  /// - Complexity: O(*n*) in the values staged since.
  mutating func undoStep() {
    for change in stepEnd..<log.count {
      values[log[change]].restore()
      // An index sees it once more.
      log.append(log[change])
    }
    stepEnd = log.count
  }

  /// Stages another transaction's staged values, at a range of positions, on top of these.
  @inlinable
  mutating func overlay(
    _ other: StagedValues, _ range: Range<Int>, _ map: borrowing IdentityMap
  ) {
    for value in other.values[range] {
      if case .properties(let changes) = value.edits {
        if !changes.isEmpty { _ = set(changes, of: value.id, map) }
      } else {
        set(value.current, for: value.id, map)
      }
    }
  }

  /// Returns the position of an id among the changed values, adding it if necessary.
  @inlinable
  mutating func stage(_ id: Element.ID, _ map: borrowing IdentityMap) -> Int {
    let position = place(of: id)
    if position == values.count {
      values.append(StagedValue(id: id, base: base(of: id, map)))
    }
    return position
  }

  /// Returns the position of an id among the changed values; if it is new, append its value then.
  @inlinable
  @inline(__always)  // For an unknown type, a call takes longer than its work.
  mutating func place(of id: Element.ID) -> Int {
    if values.count > Self.few { return positions.find(id, orInsertAt: values.count) }
    if let position = position(of: id) { return position }
    if values.count == Self.few { buildPositions(with: id) }
    return values.count
  }

  /// Builds the positions of all, and that of the next one.
  @usableFromInline
  mutating func buildPositions(with next: Element.ID) {
    for position in values.indices { positions.insert(values[position].id, at: position) }
    positions.insert(next, at: values.count)
  }

  /// Returns the position of an id, if its value was staged.
  ///
  /// - Complexity: O(1) on average. Comparing a few ids takes less time than hashing.
  @inlinable
  func position(of id: Element.ID) -> Int? {
    if values.count > Self.few { return positions.find(id) }
    var position = 0
    while position < values.count {
      if values[position].id == id { return position }
      position &+= 1
    }
    return nil
  }

  @inlinable static var few: Int { 8 }

  /// Adds a value that was not staged yet.
  @usableFromInline
  mutating func append(_ value: consuming StagedValue<Element>) {
    let position = place(of: value.id)
    assert(position == values.count, "It was staged already")
    values.append(value)
  }

  /// Doubles the room if it is used up and many values are there: moving them takes long, and must
  /// not happen while the cache's lock is held.
  @inlinable
  mutating func makeRoom() {
    if values.count == values.capacity, values.count >= 1 << 10 { makeRoom(for: values.count) }
  }

  /// Reserves room for so many more.
  @usableFromInline
  mutating func makeRoom(for count: Int) {
    values.reserveCapacity(values.count + count)
    log.makeRoom(for: count)
    positions.reserveCapacity(values.count + count)
  }

  /// Stages a new value, or its deletion.
  @inlinable
  mutating func set(
    _ knowledge: Knowledge<Element>, for id: Element.ID, _ map: borrowing IdentityMap
  ) {
    set(knowledge, at: stage(id, map))
  }

  @inlinable
  mutating func set(_ knowledge: Knowledge<Element>, at position: Int) {
    if replaced != nil { keepReplaced(position) }
    values[position].current = knowledge
    values[position].edits = .whole
    log.append(position)
  }

  /// Stages new values, one after another, until there is one already; returns the index of that.
  ///
  /// It adds the ids of which it is not known whether there is a value to `unknown`.
  mutating func insert(
    _ elements: ArraySlice<Element>, _ map: borrowing IdentityMap, unknown: inout [Element.ID]
  ) -> Int? {
    for index in elements.indices {
      let id = elements[index].id
      let position = place(of: id)
      if position == values.count {
        let base = base(of: id, map)
        if case .missing = base {
          values.append(StagedValue(id: id, base: base, current: .present(elements[index])))
          log.append(position)
          continue
        }
        values.append(StagedValue(id: id, base: base))
      }
      switch values[position].current {
      case .unknown: unknown.append(id)
      case .missing: set(.present(elements[index]), at: position)
      case .present: return index
      }
    }
    return nil
  }

  /// Stages the deletion of the values with some ids.
  mutating func delete(_ ids: [Element.ID], _ map: borrowing IdentityMap) {
    for id in ids {
      let position = place(of: id)
      if position < values.count {
        set(.missing, at: position)
      } else {
        values.append(StagedValue(id: id, base: base(of: id, map), current: .missing))
        log.append(position)
      }
    }
  }

  /// Keeps a value that is replaced while the cache's lock is held, unless it is the transaction's
  /// base value, which stays.
  @usableFromInline
  mutating func keepReplaced(_ position: Int) {
    if !values[position].isUntouched { replaced?.append(values[position]) }
  }

  /// Sets one property of an existing value; if the value is unknown, notes that it will be set.
  @inlinable
  mutating func set<Value: Sendable>(
    _ path: any WritableKeyPath<Element, Value> & Sendable, _ property: Property<Element>,
    at position: Int, to value: Value
  ) -> UpdateResult<Element.ID> {
    let id = values[position].id
    var changed = id
    let mayExist = change(at: position) { element in
      let old = element[keyPath: path]
      element[keyPath: path] = value
      changed = element.id
      if changed != id { element[keyPath: path] = old }
    }
    if !mayExist { return .absent }
    if changed != id { return .identityChanged(changed) }
    values[position].addChange(PropertyChange(property, to: value))
    log.append(position)
    return .updated
  }

  /// Sets properties of an existing value; if the value is unknown, notes that they will be set.
  @usableFromInline
  @discardableResult
  mutating func set(
    _ changes: [PropertyChange<Element>], of id: Element.ID, _ map: borrowing IdentityMap
  ) -> UpdateResult<Element.ID> { set(changes, at: stage(id, map)) }

  @inlinable
  mutating func set(
    _ changes: [PropertyChange<Element>], at position: Int
  ) -> UpdateResult<Element.ID> {
    let id = values[position].id
    if replaced != nil { keepReplaced(position) }
    var changed = id
    let mayExist = change(at: position) { element in
      var new = element
      for change in changes { change.apply(to: &new) }
      changed = new.id
      if changed == id { element = new }
    }
    if !mayExist { return .absent }
    if changed != id { return .identityChanged(changed) }
    for change in changes { values[position].addChange(change) }
    log.append(position)
    return .updated
  }

  /// Changes a value in place, if it exists; returns whether the value exists, or may exist.
  @inlinable
  mutating func change(at position: Int, _ body: (inout Element) -> Void) -> Bool {
    // Only one reference may be left, or the contents of the element would be copied.
    var current = Knowledge<Element>.unknown
    swap(&current, &values[position].current)
    switch consume current {
    case .missing:
      values[position].current = .missing
      return false
    case .unknown: return true
    case .present(var element):
      body(&element)
      values[position].current = .present(element)
      return true
    }
  }

  /// Returns the ids of values that were not read, but of which properties were set that may be
  /// part of the identity, or are at some offsets.
  @usableFromInline
  func setUnseen(_ offsets: [Int]) -> [Element.ID] {
    // Finding the name of a key path takes long: look up each property once.
    var known: [ObjectIdentifier: Bool] = [:]
    func mayHold(_ property: Property<Element>) -> Bool {
      if let answer = known[ObjectIdentifier(property)] { return answer }
      let answer = property.mayChangeIdentity || offsets.contains { property.mayChange($0) }
      known[ObjectIdentifier(property)] = answer
      return answer
    }
    var ids: [Element.ID] = []
    for position in values.indices where values[position].current.isUnknown {
      guard let changes = values[position].changes else { continue }
      if changes.contains(where: { mayHold($0.property) }) { ids.append(values[position].id) }
    }
    return ids
  }
}
