extension RecordIndexes where Element: GraphRecord {
  /// Throws if records violate a unique index.
  ///
  /// - Parameters:
  ///   - records: The records, of different ids.
  ///   - removed: The ids of the records that are removed.
  ///   - ids: The existing records.
  /// - Throws: `KinshipError.notUnique`.
  /// - Complexity: O(*n*) in the records, on average.
  package func check(
    _ records: [Element], removing removed: [Element.ID] = [], in ids: IndexedIDs<Element>
  ) throws(KinshipError) {
    guard let (index, record, other) = ids.violation(by: records, removing: Set(removed))
    else { return }
    let values = index.outline.properties.compactMap { $0 as? PartialKeyPath<Element> }
      .map { Values.text(of: record[keyPath: $0]) }
    throw Self.notUnique(record.ref, Ref(other), by: index, values.joined(separator: ", "))
  }

  /// Throws if existing records violate a unique index.
  ///
  /// - Parameter ids: The records.
  /// - Throws: `KinshipError.notUnique`.
  /// - Complexity: O(*n*) in the records.
  package func check(_ ids: IndexedIDs<Element>) throws(KinshipError) {
    guard let (index, id, other, value) = ids.violation() else { return }
    throw Self.notUnique(Ref(id), Ref(other), by: index, value)
  }

  private static func notUnique(
    _ ref: Ref<Element>, _ other: Ref<Element>, by index: IndexDeclaration<Element>, _ value: String
  ) -> KinshipError {
    .notUnique(
      AnyRef(ref), other: AnyRef(other),
      property: index.outline.properties.map { PropertyName.of($0) }.joined(separator: ", "),
      value: value)
  }
}
