/// What a transaction has changed of one type, in the order in which it came to each value.
@usableFromInline
struct StagedValues<Element: Cacheable>: Sendable {
  /// Where the value with an id is, once there are more than a few.
  @usableFromInline var positions = IDPositions<Element.ID>()
  @usableFromInline var values: ContiguousArray<StagedValue<Element>> = []
  /// The properties that were set several at a time: few, and each wanted often.
  @usableFromInline var properties: [Property<Element>] = []
  /// The positions in the order of their changes: who keeps an index of them catches up with it.
  @usableFromInline var log = StagedLog()
  /// Where in the log the last step has ended.
  @usableFromInline var stepEnd = 0
  /// What the store has said of ids, whatever the map still remembers of it.
  @usableFromInline var learnt: [Element.ID: Knowledge<Element>] = [:]
  /// Whether it begins with what is committed, also where pending writes show something else.
  @usableFromInline let isBeneath: Bool
  /// What was replaced while the cache's lock is held, where it must not be destroyed.
  @usableFromInline var replaced: ContiguousArray<StagedValue<Element>>?

  @inlinable
  init(isBeneath: Bool = false) { self.isBeneath = isBeneath }

  /// What the transaction sees of an id: its own change, or what is committed.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func read(_ id: Element.ID, _ map: borrowing IdentityMap) -> Knowledge<Element> {
    if let position = position(of: id) { return values[position].current }
    return base(of: id, map)
  }

  /// What the transaction begins with.
  @inlinable
  @inline(__always)  // Where the type is not known, a call takes longer than what it does.
  func base(of id: Element.ID, _ map: borrowing IdentityMap) -> Knowledge<Element> {
    if !learnt.isEmpty { return baseOrLearnt(of: id, map) }
    return isBeneath ? map.committed(id, as: Element.self) : map.knowledge(of: id, as: Element.self)
  }

  @usableFromInline
  func baseOrLearnt(of id: Element.ID, _ map: borrowing IdentityMap) -> Knowledge<Element> {
    let known =
      isBeneath
      ? map.committed(id, as: Element.self) : map.knowledge(of: id, as: Element.self)
    return known.isUnknown ? learnt[id] ?? .unknown : known
  }

  /// The table of the map, if the transaction sees just what is in it.
  func tableAlone(
    _ map: borrowing IdentityMap
  ) -> UnsafeMutablePointer<RecordTable<Element>>? {
    let isHidden = !values.isEmpty || !learnt.isEmpty || (isBeneath && map.pendingCount > 0)
    return isHidden ? nil : map.table(Element.self)
  }

  /// Drops what was staged, but not what was learnt of the store.
  @inlinable
  mutating func clear() {
    positions = IDPositions()
    values = []
    log = StagedLog()
    stepEnd = 0
  }

  // MARK: One transaction after another

  /// Takes out what was staged since the last step, and goes on as if it were committed.
  ///
  /// - Complexity: O(*n*) in what was staged since.
  mutating func takeStep() -> StagedValues {
    var step = StagedValues(isBeneath: isBeneath)
    for change in stepEnd..<log.count where !values[log[change]].isUntouched {
      step.append(values[log[change]])
      values[log[change]].advance()
    }
    stepEnd = log.count
    return step
  }

  /// Drops what was staged since the last step.
  ///
  /// - Complexity: O(*n*) in what was staged since.
  mutating func undoStep() {
    for change in stepEnd..<log.count {
      values[log[change]].restore()
      // Who keeps an index sees it once more.
      log.append(log[change])
    }
    stepEnd = log.count
  }

  /// Stages what another transaction has staged at a range of positions on top of this.
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

  /// The position of an id among the changed values; it is added if it is not there.
  @inlinable
  mutating func stage(_ id: Element.ID, _ map: borrowing IdentityMap) -> Int {
    let position = place(of: id)
    if position == values.count {
      values.append(StagedValue(id: id, base: base(of: id, map)))
    }
    return position
  }

  /// The position of an id among the changed values; where it is not there, its value must be
  /// appended then.
  @inlinable
  @inline(__always)  // Where the type is not known, a call takes longer than what it does.
  mutating func place(of id: Element.ID) -> Int {
    if values.count > Self.few { return positions.find(id, orInsertAt: values.count) }
    if let position = position(of: id) { return position }
    if values.count == Self.few { notePositions(with: id) }
    return values.count
  }

  /// Notes the positions of all, and that of one that is appended next.
  @usableFromInline
  mutating func notePositions(with next: Element.ID) {
    for position in values.indices { positions.insert(values[position].id, at: position) }
    positions.insert(next, at: values.count)
  }

  /// The position of an id, if its value was staged.
  ///
  /// - Complexity: O(1) on average. Of a few it takes less to compare than to hash.
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

  /// Makes room for as many again where there is none left, and many are there: to move them takes
  /// long, which must not be where the cache's lock is held.
  @inlinable
  mutating func makeRoom() {
    if values.count == values.capacity, values.count >= 1 << 10 { makeRoom(for: values.count) }
  }

  /// Makes room for so many more.
  @usableFromInline
  mutating func makeRoom(for count: Int) {
    values.reserveCapacity(values.count + count)
    log.makeRoom(for: count)
    positions.reserveCapacity(values.count + count)
  }

  /// Takes over a new value, or that there is none.
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

  /// Takes over new values, one after another, until there is one already.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - map: The map.
  ///   - unknown: The ids of which it is not known whether there is a value are added.
  /// - Returns: The index of the value whose id has one already.
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

  /// Takes over that there are no values with some ids.
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

  /// Keeps what is about to be replaced while the cache's lock is held, unless it is what the
  /// transaction began with, and stays.
  @usableFromInline
  mutating func keepReplaced(_ position: Int) {
    if !values[position].isUntouched { replaced?.append(values[position]) }
  }

  /// Sets one property of a value that is there; of one that is unknown, notes that it will be set.
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
    values[position].note(PropertyChange(property, to: value))
    log.append(position)
    return .updated
  }

  /// Sets properties of a value that is there; of one that is unknown, notes that they will be set.
  @usableFromInline
  @discardableResult
  mutating func set(
    _ changes: [PropertyChange<Element>], of id: Element.ID, _ map: borrowing IdentityMap
  ) -> UpdateResult<Element.ID> { set(changes, at: stage(id, map)) }

  @usableFromInline
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
    for change in changes {
      values[position].note(PropertyChange(known(change.property), to: change.value))
    }
    log.append(position)
    return .updated
  }

  /// Makes the staged value of an id what it was before; `nil` where it was not staged.
  @usableFromInline
  mutating func restore(_ id: Element.ID, to before: StagedValue<Element>?) {
    guard let position = position(of: id) else { return }
    let base = values[position].base
    values[position] = before ?? StagedValue(id: id, base: base)
    log.append(position)
  }

  /// What is staged of an id.
  @usableFromInline
  func staged(_ id: Element.ID) -> StagedValue<Element>? { position(of: id).map { values[$0] } }

  /// Changes a value in place, if it is there.
  ///
  /// - Returns: Whether the value is, or may be, there.
  @inlinable
  mutating func change(at position: Int, _ body: (inout Element) -> Void) -> Bool {
    // Only one reference may be left, or what the element holds would be copied.
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

  /// The ids of values that were not read, but of which properties were set that may be part of the
  /// identity, or hold what lies at some offsets.
  @usableFromInline
  func setUnseen(_ offsets: [Int]) -> [Element.ID] {
    // The names of key paths take long to find: of each property once.
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

  /// The one that stands for all of the same key path.
  @usableFromInline
  mutating func known(_ property: Property<Element>) -> Property<Element> {
    for known in properties where known.keyPath == property.keyPath { return known }
    properties.append(property)
    return property
  }
}
