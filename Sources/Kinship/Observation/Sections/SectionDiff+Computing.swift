/// The division of a query's answer into sections: by the first term of its order.
struct Sectioning<Key: Sendable, R: GraphRecord>: Sendable {
  let term: SortTerm<R>
  let key: @Sendable (R) -> Key

  /// Returns the sections of a list and their difference, computed from the old sections and the
  /// difference of the list.
  ///
  /// - Complexity: O(*s* + *m* log (*s* + *m*)) in the sections and the difference.
  func sections(
    of list: ResultList<R>, after old: SectionedList<Key, R>, _ diff: ListDiff<R>
  ) -> (SectionedList<Key, R>, SectionDiff<Key, R>) {
    let steps = steps(of: diff, from: old.records)
    let new = SectionedList(records: list, starts: starts(after: steps, in: old))
    var result = SectionDiff<Key, R>()
    /// The positions of the sections that are in both.
    var (staying, left) = (Set<Int>(), Set<Int>())
    var position = 0
    for (index, start) in old.starts.enumerated() {
      while position < new.count, precedence(of: new.starts[position], to: start) == .before {
        position += 1
      }
      if position < new.count, precedence(of: new.starts[position], to: start) == .same {
        left.insert(index)
        staying.insert(position)
        position += 1
      } else {
        result.removedSections.append(.init(position: index, section: old[index]))
      }
    }
    for position in new.indices where !staying.contains(position) {
      result.insertedSections.append(.init(position: position, section: new[position]))
    }
    for step in steps {
      let from = step.from.map(old.place).flatMap { left.contains($0.section) ? $0 : nil }
      let to = step.to.map(new.place).flatMap { staying.contains($0.section) ? $0 : nil }
      result.add(step, from, to)
    }
    result.sort()
    return (new, result)
  }

  private func precedence(
    of first: SectionedList<Key, R>.Start, to second: SectionedList<Key, R>.Start
  ) -> Precedence { term.precedence(ofKey: first.sortKey, to: second.sortKey) }

  // MARK: Steps

  /// The change of a record, by its positions among all.
  struct Step {
    /// `nil` if it is new.
    var from: Int?
    /// `nil` if it was removed.
    var to: Int?
    let old: R
    let new: R
    /// Whether it has moved to another position or section.
    var isMove = false
    var isUpdate = false
  }

  private func steps(of diff: ListDiff<R>, from list: ResultList<R>) -> [Step] {
    var steps = diff.removed.map { Step(from: $0.position, old: $0.element, new: $0.element) }
    steps += diff.inserted.map { Step(to: $0.position, old: $0.element, new: $0.element) }
    var updates = Dictionary(uniqueKeysWithValues: diff.updated.map { ($0.position, $0.new) })
    steps += diff.moved.map { move in
      let (old, new) = (list[move.from], updates.removeValue(forKey: move.to))
      return Step(
        from: move.from, to: move.to, old: old, new: new ?? old, isMove: true, isUpdate: new != nil)
    }
    // The positions of those that have stayed, among the others, before and after.
    let leaving = (diff.removed.map { $0.position } + diff.moved.map { $0.from }).sorted()
    let arriving = (diff.inserted.map { $0.position } + diff.moved.map { $0.to }).sorted()
    var (gone, come) = (0, 0)
    for update in diff.updated where updates[update.position] != nil {
      while come < arriving.count, arriving[come] < update.position { come += 1 }
      while gone < leaving.count, leaving[gone] <= update.position - come + gone { gone += 1 }
      steps.append(
        Step(
          from: update.position - come + gone, to: update.position, old: update.old,
          new: update.new, isMove: term.precedence(of: update.old, to: update.new) != .same,
          isUpdate: true))
    }
    return steps
  }

  /// Returns the starts of the sections after some steps.
  private func starts(
    after steps: [Step], in old: SectionedList<Key, R>
  ) -> [SectionedList<Key, R>.Start] {
    var counts = old.map { $0.count }
    for case (let step, let from?) in steps.map({ ($0, $0.from) })
    where step.to == nil || step.isMove {
      counts[old.place(of: from).section] -= 1
    }
    /// The new sections, in order.
    var added: [(key: Key, sortKey: any SortKey, count: Int)] = []
    let arriving = steps.filter { $0.to != nil && ($0.from == nil || $0.isMove) }
    for step in arriving.sorted(by: { $0.to ?? 0 < $1.to ?? 0 }) {
      let sortKey = term.key(step.new)
      let place = partitionPoint(upTo: counts.count) {
        term.precedence(ofKey: old.starts[$0].sortKey, to: sortKey) != .before
      }
      if place < counts.count,
        term.precedence(ofKey: old.starts[place].sortKey, to: sortKey) == .same
      {
        counts[place] += 1
      } else if let last = added.last, term.precedence(ofKey: last.sortKey, to: sortKey) == .same {
        added[added.count - 1].count += 1
      } else {
        added.append((key(step.new), sortKey, 1))
      }
    }
    var rest = added[...]
    var position = 0
    var starts: [SectionedList<Key, R>.Start] = []
    func append(_ key: Key, _ sortKey: any SortKey, _ count: Int) {
      starts.append(.init(key: key, sortKey: sortKey, position: position))
      position += count
    }
    for (start, count) in zip(old.starts, counts) where count > 0 {
      while let next = rest.first,
        term.precedence(ofKey: next.sortKey, to: start.sortKey) == .before
      {
        append(next.key, next.sortKey, next.count)
        rest.removeFirst()
      }
      append(start.key, start.sortKey, count)
    }
    for next in rest { append(next.key, next.sortKey, next.count) }
    return starts
  }
}

extension SectionDiff {
  /// Adds the change of a record; a place is `nil` if its section was inserted or removed.
  fileprivate mutating func add(
    _ step: Sectioning<Key, R>.Step, _ from: SectionPlace?, _ to: SectionPlace?
  ) {
    switch (from, to) {
    case (let from?, let to?):
      if step.isMove { moved.append(.init(from: from, to: to, record: step.old)) }
      if step.isUpdate { updated.append(.init(place: to, old: step.old, new: step.new)) }
    case (let from?, nil): removed.append(.init(place: from, record: step.old))
    case (nil, let to?): inserted.append(.init(place: to, record: step.new))
    case (nil, nil): break
    }
  }

  fileprivate mutating func sort() {
    inserted.sort { $0.place < $1.place }
    removed.sort { $0.place < $1.place }
    moved.sort { $0.to < $1.to }
    updated.sort { $0.place < $1.place }
  }
}

extension Sectioning {
  /// Returns the change of the sections for a change of all records.
  @Sendable
  func next(
    _ change: ObservedChange<ResultList<R>, ListDiff<R>>, after old: SectionedList<Key, R>?
  ) -> ObservedChange<SectionedList<Key, R>, SectionDiff<Key, R>> {
    let (value, diff) = sections(of: change.value, after: old ?? SectionedList(), change.diff)
    return ObservedChange(value: value, diff: diff)
  }
}
