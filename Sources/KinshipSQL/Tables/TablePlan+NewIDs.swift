package import Kinship

extension TablePlan {
  /// The ids that a database has chosen, from the values of their column.
  ///
  /// - Throws: `KinshipError.unsupported` where ids of the type are stored as something else.
  package func newIDs(_ values: [SQLValue]) throws -> [R.ID] {
    try values.map { value in
      guard let id = try? IDCoding.id(R.ID.self, from: value, layout.formats),
        try table.idValue(id, layout.formats) == value
      else { throw cannotChooseIDs }
      return id
    }
  }

  package var cannotChooseIDs: KinshipError {
    .unsupported(store: dialect.store, operation: "new ids of \(R.recordName)")
  }
}
