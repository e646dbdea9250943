extension UpdatedRecord {
  /// A stored record with what has changed, and nothing else.
  ///
  /// Properties that were set by key path are set. Of a record that was changed by a closure, or
  /// given whole, what differs between ``old`` and ``new`` is taken over. Where somebody else has
  /// changed the stored record meanwhile, that takes a `Codable` record: of others it cannot be
  /// told part by part what is whose.
  ///
  /// For backing stores, which call it for what they have.
  ///
  /// - Parameter stored: The record in the store.
  /// - Returns: The record as it is to be stored.
  /// - Throws: `KinshipError.identityChanged` if it would have another identity, and `.conflict` if
  ///   somebody else has changed it and the changes cannot be told apart.
  /// - Complexity: O(1) in the number of records; a record that somebody else has changed is
  ///   encoded and decoded.
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
    // Not even whether anything has changed can be told of values that are not `Equatable`.
    return new
  }

  /// Throws if a record has not the identity of the one that is changed.
  package func checkIdentity(of record: R) throws(KinshipError) {
    if record.id != ref.id {
      throw .identityChanged(from: AnyRef(ref), to: AnyRef(record.ref))
    }
  }

  /// The names of the properties that have changed: those that were set, or else those that differ.
  ///
  /// A property counts as different where its values are not `Equatable` and have no parts to
  /// compare. `nil` if it is not known what the record was.
  ///
  /// - Complexity: They are found by reflection, which takes microseconds.
  public var changedNames: [String]? {
    if let properties { return properties.map { $0.name } }
    guard let old, let new else { return nil }
    return zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children)
      .filter { !Values.areSame($0.value, $1.value) }.compactMap { $0.0.label }
  }
}
