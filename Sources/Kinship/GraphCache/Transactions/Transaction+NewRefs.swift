extension GraphCache.Transaction {
  /// A ref for a record that is to be inserted, whose id the backing store chooses: as a database
  /// does by a sequence, an identity column or a default.
  ///
  /// ```swift
  /// let (child, _) = try await cache.write { tx in
  ///   let mother = try tx.newRef(Person.self)
  ///   let child = try tx.newRef(Person.self)
  ///   try tx.insert(Person(id: mother.id, name: "Louise"))
  ///   try tx.insert(Person(id: child.id, name: "Albert", mother: mother))
  ///   return child
  /// }
  /// ```
  ///
  /// The store reserves the id before it makes the changes, so records can refer to each other from
  /// the beginning, and nothing has another id afterwards. Where none is left from before, the
  /// closure runs again when the store has reserved some. The first time that is one, later as many
  /// as have been used, up to 64. Ids of a transaction that fails are used by nobody.
  ///
  /// Where the id turns out to be taken in spite of that, by somebody who has chosen it himself,
  /// a transaction of ``GraphCache/write(loading:retries:body:)`` is made anew with others.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The ref: at each run of the closure the same ones, in their order.
  /// - Throws: `KinshipError.noReservedID` if the store must reserve some first: let the error
  ///   pass. `.unsupported` if the store does not choose ids of the type, or there is none;
  ///   `.unknownType` if the type is not in the schema.
  /// - Complexity: O(1) on average.
  public mutating func newRef<R: GraphRecord>(_ type: R.Type) throws(KinshipError) -> Ref<R> {
    let number = try number(of: type)
    guard cache.store != nil else {
      throw .unsupported(store: "A cache without a store", operation: "new ids of \(R.recordName)")
    }
    if let id = reserved?.next(number, of: type) { return Ref(id) }
    if !idNeeds.contains(number) { idNeeds.append(number) }
    throw .noReservedID(type: R.recordName)
  }
}
