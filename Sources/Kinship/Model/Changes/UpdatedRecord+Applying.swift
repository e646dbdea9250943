extension UpdatedRecord {
  /// Returns a stored record with the changes applied.
  ///
  /// Properties that were set by key path are set. For a record that was changed by a closure, or
  /// given as a whole, the differences between ``old`` and ``new`` are applied. If someone else has
  /// changed the stored record in the meantime, that requires a `Codable` record, because the
  /// changes to other records cannot be told apart.
  ///
  /// Backing stores call it for the records that they store.
  ///
  /// - Parameter stored: The record in the store.
  /// - Returns: The record to store.
  /// - Throws: `KinshipError.misuse(.identityChanged)` if it would have another identity, and
  ///   `.conflict` if someone else has changed it and the changes cannot be told apart.
  /// - Complexity: O(1) in the number of records; a record that someone else has changed is encoded
  ///   and decoded.
  public func applied(to stored: R) throws(KinshipError) -> R {
    let record = try changed(stored)
    try checkIdentity(of: record)
    return record
  }

  private func changed(_ stored: R) throws(KinshipError) -> R {
    if let properties {
      var record = stored
      for property in properties { property.apply(to: &record) }
      return record
    }
    guard let new else { return stored }
    guard let old else { return new }
    let isUnchanged = Values.areEqual(stored, old)
    if isUnchanged == true { return new }
    if let merged = CodedFields.merging(stored, from: old, to: new) { return merged }
    if isUnchanged == false { throw .conflict(AnyRef(ref), mine: new, theirs: stored) }
    // For values that are not `Equatable`, it is not even known whether anything has changed.
    return new
  }

  /// Throws if a record does not have the identity of the changed one.
  package func checkIdentity(of record: R) throws(KinshipError) {
    if record.id != ref.id {
      throw .misuse(.identityChanged(from: AnyRef(ref), to: AnyRef(record.ref)))
    }
  }

  /// The names of the properties that have changed: those that were set, or else those that differ.
  ///
  /// A property counts as different if its values are not `Equatable` and have no parts to compare.
  /// `nil` if the old record is not known.
  ///
  /// - Complexity: They are found by reflection, which takes microseconds.
  public var changedNames: [String]? {
    if let properties { return properties.map { $0.name } }
    guard let old, let new else { return nil }
    return zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children)
      .filter { !Values.areSame($0.value, $1.value) }.compactMap { $0.0.label }
  }
}
