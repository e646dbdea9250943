/// A value that a transaction has changed, with its base value.
@usableFromInline
struct StagedValue<Element: Cacheable>: Sendable {
  /// The edits of a value: by property if these are known.
  @usableFromInline
  enum Edits: Sendable {
    case properties([PropertyChange<Element>])
    /// Any property may have changed.
    case whole
  }

  @usableFromInline let id: Element.ID
  /// The committed value when the transaction staged it.
  @usableFromInline var base: Knowledge<Element>
  /// The current value; unknown if only properties were set of a value that is not in memory.
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
  @inline(__always)  // For an unknown type, a call takes longer than its work.
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

  /// Whether it was only read.
  @inlinable var isUntouched: Bool {
    if case .properties(let changes) = edits { changes.isEmpty } else { false }
  }

  /// Whether it has changed; inserting and deleting again is no change.
  var isNet: Bool { withUnsafePointer(to: self) { $0.isNet() } }

  /// The net edit of a value.
  @usableFromInline enum Net { case nothing, inserted, updated, deleted }

  /// Makes the staged value the committed one.
  @inlinable
  mutating func advance() {
    base = current
    edits = .properties([])
  }

  /// Drops the staged value.
  mutating func restore() {
    current = base
    edits = .properties([])
  }

  @inlinable
  mutating func addChange(_ change: PropertyChange<Element>) {
    guard case .properties(var changes) = edits else { return }
    // Only one reference may be left, or the array would be copied.
    edits = .properties([])
    let known = changes.firstIndex {
      $0.property === change.property || $0.property.keyPath == change.property.keyPath
    }
    if let known {
      changes[known] = change
    } else {
      changes.append(change)
    }
    edits = .properties(changes)
  }
}

extension ContiguousArray {
  /// Passes the addresses of the staged values to a closure; `nil` if there are none.
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

// These are members of the pointer: a getter of the value itself would receive a copy of it.
extension UnsafePointer {
  /// Returns whether a staged value has changed; inserting and deleting again is no change.
  @inlinable
  func isNet<Element>() -> Bool where Pointee == StagedValue<Element> {
    if pointee.isUntouched { return false }
    if pointee.current.isPresent || pointee.base.isPresent { return true }
    return pointee.base.isUnknown && pointee.current.isUnknown
  }

  /// The net edit of a staged value.
  @inlinable
  func net<Element>() -> StagedValue<Element>.Net where Pointee == StagedValue<Element> {
    switch (pointee.base.isPresent, pointee.current.isPresent) {
    // A value that was only read has not changed.
    case (true, true): pointee.isUntouched ? .nothing : .updated
    case (true, false): pointee.current.isUnknown ? .nothing : .deleted
    case (false, true): .inserted
    case (false, false):
      pointee.base.isUnknown && pointee.current.isUnknown && !pointee.isUntouched
        && pointee.changes != nil ? .updated : .nothing
    }
  }
}
