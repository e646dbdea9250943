/// A value that a transaction has changed, beside what it was.
@usableFromInline
struct StagedValue<Element: Cacheable>: Sendable {
  /// What was done to a value, as far as it can be told property by property.
  @usableFromInline
  enum Edits: Sendable {
    case properties([PropertyChange<Element>])
    /// Any property may have changed.
    case whole
  }

  @usableFromInline let id: Element.ID
  /// What was committed when the transaction came to it.
  @usableFromInline var base: Knowledge<Element>
  /// What it is now; unknown if only properties were set of a value that is not in memory.
  @usableFromInline var current: Knowledge<Element>
  @usableFromInline var edits: Edits

  @inlinable
  init(id: Element.ID, base: Knowledge<Element>) {
    self.id = id
    self.base = base
    current = base
    edits = .properties([])
  }

  /// A value that is inserted or deleted.
  @inline(__always)  // Where the type is not known, a call takes longer than what it does.
  init(id: Element.ID, base: Knowledge<Element>, current: Knowledge<Element>) {
    self.id = id
    self.base = base
    self.current = current
    edits = .whole
  }

  /// The properties that were set; `nil` if any may have changed.
  @inlinable var changes: [PropertyChange<Element>]? {
    if case .properties(let changes) = edits { changes } else { nil }
  }

  /// Whether it was only looked at.
  @inlinable var isUntouched: Bool {
    if case .properties(let changes) = edits { changes.isEmpty } else { false }
  }

  /// Whether it has changed: what was inserted and deleted again has not.
  var isNet: Bool { withUnsafePointer(to: self) { $0.isNet() } }

  /// What was done to a value in the end.
  @usableFromInline enum Net { case nothing, inserted, updated, deleted }

  /// Takes what was staged for committed.
  @inlinable
  mutating func advance() {
    base = current
    edits = .properties([])
  }

  /// Drops what was staged.
  mutating func restore() {
    current = base
    edits = .properties([])
  }

  @inlinable
  mutating func note(_ change: PropertyChange<Element>) {
    guard case .properties(var changes) = edits else { return }
    // Only one reference may be left, or the array would be copied.
    edits = .properties([])
    if let index = changes.firstIndex(where: { $0.property.keyPath == change.property.keyPath }) {
      changes[index] = change
    } else {
      changes.append(change)
    }
    edits = .properties(changes)
  }
}

extension ContiguousArray {
  /// Gives a closure the places where staged values lie; `nil` if there are none.
  @inlinable
  @discardableResult
  func withPlaces<Value, Result>(
    _ body: (Range<UnsafePointer<StagedValue<Value>>>) -> Result
  ) -> Result? where Element == StagedValue<Value> {
    withUnsafeBufferPointer { values in
      values.baseAddress.map { body($0..<$0 + values.count) }
    }
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

  /// What was done to a staged value in the end.
  @inlinable
  func net<Element>() -> StagedValue<Element>.Net where Pointee == StagedValue<Element> {
    switch (pointee.base.isPresent, pointee.current.isPresent) {
    // What was only looked at has not changed.
    case (true, true): pointee.isUntouched ? .nothing : .updated
    case (true, false): pointee.current.isUnknown ? .nothing : .deleted
    case (false, true): .inserted
    case (false, false):
      pointee.base.isUnknown && pointee.current.isUnknown && !pointee.isUntouched
        && pointee.changes != nil ? .updated : .nothing
    }
  }
}
