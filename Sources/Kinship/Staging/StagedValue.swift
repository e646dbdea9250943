/// A value that a transaction has changed, beside what it was.
@usableFromInline
struct StagedValue<Element: Cacheable>: Sendable {
  /// How much of a value may have changed.
  @usableFromInline enum Extent: Sendable { case nothing, properties, whole }

  /// The properties that were set: most often one, which takes no memory of its own.
  @usableFromInline
  struct Edits: Sendable {
    @usableFromInline var first: PropertyChange<Element>?
    @usableFromInline var others: [PropertyChange<Element>] = []

    @inlinable init() {}

    @inlinable
    func apply(to element: inout Element) {
      first?.apply(to: &element)
      for change in others { change.apply(to: &element) }
    }

    @inlinable
    mutating func note(_ change: PropertyChange<Element>) {
      if first == nil || first?.property.keyPath == change.property.keyPath {
        first = change
      } else {
        noteAnother(change)
      }
    }

    @inlinable
    @inline(never)
    mutating func noteAnother(_ change: PropertyChange<Element>) {
      let index = others.firstIndex { $0.property.keyPath == change.property.keyPath }
      if let index { others[index] = change } else { others.append(change) }
    }
  }

  @usableFromInline let id: Element.ID
  /// What was committed when the transaction came to it.
  @usableFromInline var base: Knowledge<Element>
  /// What it is now; unknown if only properties were set of a value that is not in memory.
  @usableFromInline var current: Knowledge<Element>
  @usableFromInline var edits = Edits()
  /// Apart from the properties: to ask for it copies none of them.
  @usableFromInline var extent = Extent.nothing

  @inlinable
  init(id: Element.ID, base: Knowledge<Element>) {
    self.id = id
    self.base = base
    current = base
  }

  /// A value that is inserted or deleted.
  @inline(__always)  // Where the type is not known, a call takes longer than what it does.
  init(id: Element.ID, base: Knowledge<Element>, current: Knowledge<Element>) {
    self.id = id
    self.base = base
    self.current = current
    extent = .whole
  }

  /// The properties that were set; `nil` if any may have changed.
  @inlinable var changes: [PropertyChange<Element>]? {
    isWhole ? nil : (edits.first.map { [$0] } ?? []) + edits.others
  }

  /// Whether any property may have changed.
  @inlinable var isWhole: Bool { extent == .whole }

  /// Whether it was only looked at.
  @inlinable var isUntouched: Bool { extent == .nothing }

  /// Whether it has changed: what was inserted and deleted again has not.
  var isNet: Bool { withUnsafePointer(to: self) { $0.isNet() } }

  /// What was done to it in the end.
  @usableFromInline enum Net { case nothing, inserted, updated, deleted }

  @inlinable var net: Net {
    switch (base.isPresent, current.isPresent) {
    // What was only looked at has not changed.
    case (true, true): isUntouched ? .nothing : .updated
    case (true, false): current.isUnknown ? .nothing : .deleted
    case (false, true): .inserted
    case (false, false):
      base.isUnknown && current.isUnknown && !isUntouched && !isWhole ? .updated : .nothing
    }
  }

  /// Takes what was staged for committed.
  @inlinable
  mutating func advance() {
    base = current
    forgetEdits()
  }

  /// Drops what was staged.
  mutating func restore() {
    current = base
    forgetEdits()
  }

  @inlinable
  mutating func note(_ change: PropertyChange<Element>) {
    if isWhole { return }
    extent = .properties
    edits.note(change)
  }

  /// Notes that any property may have changed.
  @inlinable
  mutating func noteWhole() {
    edits = Edits()
    extent = .whole
  }

  @inlinable
  mutating func forgetEdits() {
    edits = Edits()
    extent = .nothing
  }
}

// Asked of where a value lies: a getter of the value itself would be given a copy of all that it
// consists of.
extension UnsafePointer {
  /// Whether a staged value has changed: what was inserted and deleted again has not.
  @inlinable
  func isNet<Element>() -> Bool where Pointee == StagedValue<Element> {
    if pointee.isUntouched { return false }
    if pointee.current.isPresent || pointee.base.isPresent { return true }
    return pointee.base.isUnknown && pointee.current.isUnknown
  }
}
