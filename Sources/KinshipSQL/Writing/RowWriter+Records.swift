public import Kinship

// A table declaration specialises these loops.
extension RowWriter {
  @inlinable
  package func insert<R: GraphRecord>(
    _ records: [R], _ write: (R, inout SQLValues) throws -> Void
  ) throws {
    // Earlier updates may have needed only a few of the values.
    chooseAll()
    for index in records.indices {
      if index & 0x3FF == 0x3FF { try Task.checkCancellation() }
      try take(records[index], write)
      try insert()
    }
  }

  /// Updates the rows of known records, in the columns of properties that were set or differ.
  ///
  /// It returns how many are not known, have properties without a column, or hold JSON objects.
  @inlinable
  package func update<R: GraphRecord>(
    _ updates: [UpdatedRecord<R>], _ write: (R, inout SQLValues) throws -> Void,
    _ idValue: (R.ID) throws -> SQLValue
  ) throws -> Int {
    var unknown = 0
    for index in updates.indices {
      if index & 0x3FF == 0x3FF { try Task.checkCancellation() }
      guard let new = updates[index].new, try note(updates[index]) else {
        unknown += 1
        continue
      }
      if new.id != updates[index].ref.id { throw identityChanged(updates[index].ref, new) }
      if updates[index].properties == nil, let old = updates[index].old {
        try compare(old, new, write)
      } else {
        try take(new, write)
      }
      if !values.objects.isEmpty, writesObjects {
        unknown += 1
        continue
      }
      let version = versionColumn == nil ? nil : updates[index].old.flatMap { $0.knownVersion }
      if try !update(known, id: idValue(new.id), version) {
        throw discord(updates[index].ref)
      }
    }
    return unknown
  }

  /// Finds the columns of properties, unless the previous row has the same; returns whether all
  /// have one.
  ///
  /// - Throws: `KinshipError.untranslatable` for a property that cannot be written.
  @inlinable
  package func note<R: GraphRecord>(_ change: UpdatedRecord<R>) throws -> Bool {
    guard let properties = change.properties else {
      chooseAll()
      return true
    }
    if properties.count == paths.count, !paths.isEmpty {
      // Equal key paths usually are the same object, which is quick to check.
      var isLikeLast = true
      for index in properties.indices where properties[index].keyPath !== paths[index] {
        isLikeLast = false
        break
      }
      if isLikeLast { return true }
    }
    do {
      return try choose(properties.map { $0.keyPath })
    } catch {
      throw KinshipError.untranslatable(
        type: R.recordName, id: change.ref.id,
        field: properties.first { isComputed($0.keyPath) }?.name,
        cause: error)
    }
  }

  @usableFromInline
  package func isComputed(_ property: any AnyKeyPath & Sendable) -> Bool {
    position(property).map { $0 < layout.columns.count && !layout.isWritable[$0] } ?? false
  }

  /// Takes the values of a record, and chooses the columns in which it differs from its old
  /// version.
  @usableFromInline
  package func compare<R: GraphRecord>(
    _ old: R, _ new: R, _ write: (R, inout SQLValues) throws -> Void
  ) throws {
    chooseAll()
    do {
      try take(old, write)
    } catch {
      // If the old record cannot be stored, no column holds its values.
      return try take(new, write)
    }
    keepValues()
    try take(new, write)
    chooseDifferences()
  }

  @usableFromInline
  package func identityChanged<R: GraphRecord>(_ ref: Ref<R>, _ record: R) -> any Error {
    KinshipError.identityChanged(from: AnyRef(ref), to: AnyRef(record.ref))
  }

  @inlinable
  @inline(__always)
  package func take<R: GraphRecord>(
    _ record: R, _ write: (R, inout SQLValues) throws -> Void
  ) throws {
    values.restart()
    do {
      try write(record, &values)
      try checkValues()
    } catch {
      throw untranslatable(record, error)
    }
  }

  @usableFromInline
  package func discord<R: GraphRecord>(_ ref: Ref<R>) -> any Error {
    Discord(error: KinshipError.conflict(AnyRef(ref), mine: nil, theirs: nil))
  }

  @usableFromInline
  package func untranslatable<R: GraphRecord>(_ record: R, _ error: any Error) -> any Error {
    let field: String? =
      switch error {
      case SQLMappingError.noColumnForProperty(let property, _): property
      case EncodingError.invalidValue(_, let context): context.codingPath.first?.stringValue
      default: nil
      }
    return KinshipError.untranslatable(
      type: R.recordName, id: record.id, field: field, cause: error)
  }
}

extension GraphRecord {
  /// The version of the record, if it has one.
  @usableFromInline package var knownVersion: Int? { (self as? any Versioned)?.version }
}
