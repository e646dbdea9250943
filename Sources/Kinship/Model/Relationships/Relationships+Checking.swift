extension Relationships {
  /// Checks that each stored property that holds refs is declared: a relationship, or ignored by
  /// name.
  ///
  /// - Throws: `KinshipError.invalidSchema(.undeclaredRelationship)`.
  func check() throws(KinshipError) {
    #if !canImport(Darwin)
      var fields = RefField.all(in: Source.self)
      var valueTypes: [Any.Type] = []
      // Once each: a property that refers to records of several types has several relationships.
      let keyPaths = Set<PartialKeyPath<Source>>(elements.map { $0.keyPath } + ignored.map { $0 })
      for keyPath in keyPaths {
        let type = Swift.type(of: keyPath).valueType
        if let offset = MemoryLayout<Source>.offset(of: keyPath) {
          let property = offset..<(offset + Self.size(of: type))
          fields.removeAll { property.contains($0.offset) }
        } else {
          valueTypes.append(type)
        }
      }
      // The storage of a property that is computed, or has a `didSet`, is not known: it counts as
      // one of its type.
      for type in valueTypes {
        if let index = fields.firstIndex(where: { $0.type == type }) { fields.remove(at: index) }
      }
      if let field = fields.first {
        throw .invalidSchema(.undeclaredRelationship(type: Source.recordName, property: field.name))
      }
    #endif
  }

  private static func size<Value>(of type: Value.Type) -> Int { MemoryLayout<Value>.size }
}
