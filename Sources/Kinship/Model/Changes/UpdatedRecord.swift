/// What a change set says of one record that was updated.
public struct UpdatedRecord<R: GraphRecord>: Sendable {
  /// The ref that names the record.
  public let ref: Ref<R>
  /// The record as it was; `nil` if it was not in memory.
  public let old: R?
  /// The record as it is; `nil` if it was not in memory.
  public let new: R?
  /// The properties that were set, each once, with their new values; `nil` if the record was
  /// changed by a closure or given whole: then what differs between ``old`` and ``new`` has
  /// changed.
  public let properties: [PropertyChange<R>]?

  @inlinable
  package init(_ ref: Ref<R>, old: R?, new: R?, properties: [PropertyChange<R>]?) {
    self.ref = ref
    self.old = old
    self.new = new
    self.properties = properties
  }

  /// The key paths of the properties that were set; `nil` if the record was changed by a closure or
  /// given whole: ``changedNames`` tells what differs.
  public var keyPaths: [any PartialKeyPath<R> & Sendable]? { properties?.map { $0.keyPath } }

  /// Whether the record is certainly as it was, as the types of the record and of the properties
  /// that were set tell.
  var isWithoutEffect: Bool {
    guard let old, let new else { return false }
    let areEqual = Values.areEqual(old, new)
    if areEqual == false { return false }
    guard let properties else { return areEqual ?? false }
    return properties.allSatisfy { change in
      Values.areEqual(change.property.value(old), change.value) ?? areEqual ?? false
    }
  }

  /// The change that takes this one back, if it is known what the record was.
  @inlinable
  var inverted: UpdatedRecord? {
    guard let old else { return nil }
    return UpdatedRecord(
      ref, old: new, new: old, properties: properties?.map { $0.taken(from: old) })
  }

  /// This change and a later one as one.
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

  /// What the change makes of the record that was there.
  func new(from record: R) -> R {
    if let new { return new }
    var record = record
    for change in properties ?? [] { change.apply(to: &record) }
    return record
  }
}
