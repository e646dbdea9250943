import Kinship

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

  /// Whether another file has the same content, whatever its name.
  func hasContent(of other: Origin) -> Bool { size == other.size && checksum == other.checksum }
}
