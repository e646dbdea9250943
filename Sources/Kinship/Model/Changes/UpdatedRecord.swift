/// The change of one record that was updated, in a change set.
public struct UpdatedRecord<R: GraphRecord>: Sendable {
  /// The ref that names the record.
  public let ref: Ref<R>
  /// The record before the change; `nil` if it was not in memory.
  public let old: R?
  /// The record after the change; `nil` if it was not in memory.
  public let new: R?
  /// The properties that were set, each once, with their new values.
  ///
  /// `nil` if the record was changed by a closure or given as a whole: compare ``old`` and ``new``.
  public let properties: [PropertyChange<R>]?

  @inlinable
  package init(_ ref: Ref<R>, old: R?, new: R?, properties: [PropertyChange<R>]?) {
    self.ref = ref
    self.old = old
    self.new = new
    self.properties = properties
  }

  /// The key paths of the properties that were set.
  ///
  /// `nil` if the record was changed by a closure or given as a whole: ``changedNames`` lists the
  /// differences.
  public var keyPaths: [any PartialKeyPath<R> & Sendable]? { properties?.map { $0.keyPath } }

  /// Whether the record is certainly unchanged; that requires `Equatable` types of the record or of
  /// the properties that were set.
  var isWithoutEffect: Bool {
    guard let old, let new else { return false }
    let areEqual = Values.areEqual(old, new)
    if areEqual == false { return false }
    guard let properties else { return areEqual ?? false }
    return properties.allSatisfy { change in
      Values.areEqual(change.property.value(old), change.value) ?? areEqual ?? false
    }
  }

  /// The change that reverts this one, if the old record is known.
  @inlinable
  var inverted: UpdatedRecord? {
    guard let old else { return nil }
    return UpdatedRecord(
      ref, old: new, new: old, properties: properties?.map { $0.taken(from: old) })
  }

  /// Returns the net effect of this change and a later one.
  func merging(_ later: UpdatedRecord) -> UpdatedRecord {
    var properties = self.properties
    if let changes = later.properties {
      for change in changes {
        properties?.removeAll { $0.keyPath == change.keyPath }
        properties?.append(change)
      }
    } else {
      properties = nil
    }
    let new = self.new.map { later.new(from: $0) } ?? later.new
    return UpdatedRecord(ref, old: old, new: new, properties: properties)
  }

  /// Returns the old record with the change applied.
  func new(from record: R) -> R {
    if let new { return new }
    var record = record
    for change in properties ?? [] { change.apply(to: &record) }
    return record
  }
}
