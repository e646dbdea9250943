extension RelationshipAccess {
  /// What is wrong with the index of the relationship, if there is one: it must say what a scan says.
  ///
  /// - Complexity: O(*n*) in the records of the type.
  func audit(_ edge: EdgeID, _ map: borrowing IdentityMap) -> [String] {
    guard let index = map.indexes[edge] else { return [] }
    var scanned: [Target.ID: Set<Source.ID>] = [:]
    map.forEach(Source.self) { record in
      for target in targets(of: record) { scanned[target, default: []].insert(record.id) }
    }
    let indexed = unsafeDowncast(index, to: Index.self).lists.turns.mapValues { Set($0.keys) }
    if indexed == scanned { return [] }
    return ["the referrers by \(keyPath) are \(scanned), in the index \(indexed)"]
  }
}
