import Kinship
import KinshipProgram

extension FamilyTreeProgram {
  /// Puts into memory what was there when the last run with the same snapshot ended.
  func restore(_ archive: Archive, _ options: Options) async throws {
    guard let path = options.snapshot, let state = await archive.state else { return }
    try await WarmStart(path: path, console: console).restore(into: archive.cache, of: state)
  }

  /// Saves what is in memory over a store.
  func save(_ archive: Archive, _ options: Options) async throws {
    guard let path = options.snapshot, archive.stored != nil else { return }
    guard let state = await archive.state else {
      console.complain(
        "\(path): not saved, for another program has changed the genealogy meanwhile")
      return
    }
    try await WarmStart(path: path, console: console).save(archive.cache, of: state)
  }

  /// The genealogy of a file, out of a snapshot if that is of the same file; else one is saved of
  /// it.
  ///
  /// It has all that was read. What becomes of that in memory is not the file's, and not saved.
  func genealogy(in file: String, snapshot: String) async throws -> Genealogy {
    let bytes = try FileAccess.read(file)
    let state = SourceFile(path: file, bytes: bytes).state
    let snapshot = WarmStart(path: snapshot, console: console)
    let cache = try GraphCache(
      for: Person.self, Family.self, Event.self, Place.self, SnapshotNote.self)
    if try await snapshot.restore(into: cache, of: state) { return try await Genealogy(in: cache) }
    let genealogy = try genealogy(of: bytes, from: file)
    _ = try await cache.write { tx in try tx.insert(genealogy) }
    try await snapshot.save(cache, of: state)
    return genealogy
  }
}

extension Genealogy {
  /// All records of a cache without a store.
  fileprivate init(in cache: GraphCache) async throws {
    persons = try await cache.find(RecordQuery<Person>())
    families = try await cache.find(RecordQuery<Family>())
    events = try await cache.find(RecordQuery<Event>())
    places = try await cache.find(RecordQuery<Place>())
  }
}

extension SourceFile {
  /// What tells what it holds from what other files hold.
  fileprivate var state: String { "\(size).\(checksum)" }
}
