extension RecordRelationship {
  /// Refuses records that are not those who refer to some targets.
  ///
  /// - Parameters:
  ///   - answer: What a store has answered.
  ///   - targets: The refs that name the targets.
  /// - Throws: `KinshipError.unexpectedRecord` for a record that refers to none of them, or comes
  ///   twice.
  /// - Complexity: O(*n*) in the refs of the records, on average.
  func check<Target: GraphRecord>(
    _ answer: [Source], referTo targets: [Ref<Target>]
  ) throws(KinshipError) {
    if answer.isEmpty { return }
    let wanted = Set(targets)
    var seen = Set<Source.ID>(minimumCapacity: answer.count)
    for record in answer {
      guard seen.insert(record.id).inserted,
        refs(from: record, to: Target.self).contains(where: wanted.contains)
      else { throw .unexpectedRecord(AnyRef(record.ref)) }
    }
  }
}
