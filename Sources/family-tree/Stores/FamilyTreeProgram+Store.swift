import Kinship
import KinshipFileStore
import KinshipProgram

extension FamilyTreeProgram {
  /// The genealogy in a store, into which a file is imported if there is none yet.
  func archive(in location: StoreLocation, _ options: Options) async throws -> Archive {
    let name = location.name
    return try await Failure.telling(of: name, .unreadable) {
      var store = try await location.open(isEdited: options.shell || options.file != nil)
      if let cut = (store as? FileStore)?.report.cut {
        console.complain("\(name): \(cut) An edit was not written to its end.")
      }
      var origin = try await store?.fetch(Origin.self, ids: [Origin.only.id]).first
      if origin == nil {
        guard let file = options.file else {
          throw Failure(
            status: .unreadable, subject: name,
            message: "there is no genealogy in it yet. Name a GEDCOM file to import")
        }
        store = try await fill(store, at: location, with: file)
        origin = try await store?.fetch(Origin.self, ids: [Origin.only.id]).first
      }
      guard let store, let origin else { throw KinshipError.missing(AnyRef(Origin.only)) }
      if let file = options.file { try check(origin, in: name, isOf: file) }
      return try Archive(store, options)
    }
  }

  /// Imports a file in one transaction.
  ///
  /// - Returns: The store, which another program may have filled first.
  private func fill(
    _ store: (any BackingStore)?, at location: StoreLocation, with file: String
  ) async throws -> any BackingStore {
    let bytes = try FileAccess.read(file)
    let genealogy = try genealogy(of: bytes, from: file)
    console.show(progress: "Writing \(location.name)")
    defer { console.show(progress: nil) }
    return try await Failure.telling(of: location.name, .cannotWrite) {
      let store =
        if let store { try await location.tracked(store) } else { try await location.make() }
      let isWritten = try await genealogy.write(to: store, Origin(path: file, bytes: bytes))
      console.complain(
        isWritten
          ? "\(location.name): \(genealogy.count.counted("record")) written"
          : "\(location.name): another program has filled it meanwhile")
      return store
    }
  }

  private func check(_ origin: Origin, in name: String, isOf file: String) throws(Failure) {
    let other = Origin(path: file, bytes: try FileAccess.read(file))
    if origin.hasContent(of: other) { return }
    let cause =
      origin.name == other.name
      ? "\(other.name) is not as it was when it was imported"
      : "it holds another genealogy, imported from \(origin.name)"
    throw Failure(
      status: .badData, subject: name,
      message: "\(cause). Nothing was changed: leave the file out to explore what was imported, "
        + "or choose another store to import \(other.name)")
  }
}

extension Genealogy {
  fileprivate var count: Int { persons.count + families.count + events.count + places.count }

  /// Writes all records and their origin to a store, in one transaction.
  ///
  /// - Returns: Whether they were written; `false` if the store has a genealogy by now.
  func write(to store: any BackingStore, _ origin: Origin) async throws -> Bool {
    let cache = try GraphCache(
      for: Person.self, Family.self, Event.self, Place.self, Origin.self, store: store)
    do {
      try await cache.write { tx in
        for person in persons { try tx.insert(person) }
        for family in families { try tx.insert(family) }
        for event in events { try tx.insert(event) }
        for place in places { try tx.insert(place) }
        try tx.insert(origin)
      }
      return true
    } catch KinshipError.exists, KinshipError.commitFailed(KinshipError.exists) {
      return false
    }
  }
}
