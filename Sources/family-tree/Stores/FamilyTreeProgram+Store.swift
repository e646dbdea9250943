import Foundation
import Kinship
import KinshipFileStore
import KinshipProgram

extension FamilyTreeProgram {
  /// The genealogy in a store, into which a file is imported if there is none yet.
  func archive(in location: StoreLocation, _ options: Options) async throws -> Archive {
    let name = location.name
    return try await Failure.catching(in: name, .unreadable) {
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

  /// Imports a file in one transaction, unless another program has filled the store first.
  private func fill(
    _ store: (any BackingStore)?, at location: StoreLocation, with file: String
  ) async throws -> any BackingStore {
    let bytes = try FileAccess.read(file)
    let genealogy = try genealogy(of: bytes, from: file)
    console.show(progress: "Writing \(location.name)")
    defer { console.show(progress: nil) }
    return try await Failure.catching(in: location.name, .cannotWrite) {
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
    if (origin.size, origin.checksum) == (other.size, other.checksum) { return }
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

  /// Writes all records and their origin in one transaction, unless the store has a genealogy.
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

// MARK: - Snapshots

/// A snapshot of memory, from which a later run starts warm: it reloads only the records that other
/// programs have changed since.
extension FamilyTreeProgram {
  /// Restores the memory of the last run with the same snapshot.
  func restore(_ archive: Archive, from path: String) async throws {
    guard FileAccess.exists(path) else { return }
    do {
      let report = try await archive.cache.restore(from: URL(filePath: path))
      console.complain("\(path): \(report.restored.counted("record")) restored")
    } catch KinshipError.file(.damaged(let damage)) {
      // A cold start; what is saved at the end takes the place of the damaged file.
      console.complain("\(path): warning: \(damage) It is not used")
    } catch {
      throw Failure(error, of: path, .unreadable)
    }
  }

  func save(_ archive: Archive, to path: String) async throws {
    // The next run would reload a commit of this program that comes after the snapshot's place in
    // the log.
    try await archive.catchUp()
    try await Failure.catching(in: path, .cannotWrite) {
      let report = try await archive.cache.snapshot(to: URL(filePath: path))
      console.complain("\(path): \(report.records.counted("record")) saved")
    }
  }
}

/// The file from which a genealogy was imported, as the only record of its type in a store.
///
/// It is written together with all that was read of the file, so a store that has it is complete.
struct Origin: GraphRecord, Codable, Equatable {
  static let only = Ref<Origin>(1)

  let id: Int
  /// The name of the file without its folder.
  let name: String
  let size: Int
  let checksum: String

  init(path: String, bytes: [UInt8]) {
    id = Self.only.id
    name = path.split(separator: "/").last.map(String.init) ?? path
    size = bytes.count
    // FNV-1a in 64 bits: it tells versions of a file apart, and need not withstand an attack.
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    checksum = String(hash, radix: 16)
  }
}
