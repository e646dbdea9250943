import Kinship

/// The file that a genealogy was imported from: the one record of its type in a store.
///
/// It is written together with all that was read of the file, so a store that has it is complete.
struct Origin: GraphRecord, Codable, Equatable {
  static let only = Ref<Origin>(1)

  let id: Int
  /// The name of the file without its folder.
  let name: String
  let size: Int
  let checksum: String
  /// Another one after every commit.
  ///
  /// What was noted with a mark is true as long as the store has that mark.
  var mark = newMark()

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

  /// Whether another file has the same content, whatever its name.
  func hasContent(of other: Origin) -> Bool { size == other.size && checksum == other.checksum }

  fileprivate static func newMark() -> String {
    String(UInt64.random(in: 0 ... .max), radix: 16)
  }
}

/// A store of a genealogy that gets a new mark with every commit.
struct MarkedStore: ForwardingStore {
  let base: any BackingStore
  /// Makes the change of the mark.
  private let ledger: GraphCache

  init(_ base: any BackingStore, _ origin: Origin) async throws {
    self.base = base
    ledger = try GraphCache(for: Origin.self)
    try await ledger.put(origin)
  }

  func apply(_ changes: ChangeSet) async throws {
    let mark = try await ledger.write { tx in
      try tx.update(Origin.only, \.mark, to: Origin.newMark())
    }
    try await base.apply(changes.merging(mark))
  }

  /// Fetches what a graph leads to in the way of the store itself, which may need one call.
  func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    try await base.fetch(type, ids: ids, following: plan)
  }
}
