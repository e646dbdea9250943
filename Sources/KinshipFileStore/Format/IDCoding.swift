internal import Kinship

/// The encoding of an entry's id.
enum IDForm: UInt8 {
  /// An `Int`: zigzag, as a varint.
  case integer = 0
  /// A `String`: its length and its UTF-8.
  case text = 1
  /// The coder's encoding: its length and its bytes.
  case coded = 2

  static func skip(_ reader: inout ByteReader) throws(KinshipError) {
    switch IDForm(rawValue: try reader.read(UInt8.self)) {
    case .integer: _ = try reader.readVarint()
    case .text, .coded: _ = try reader.read(try reader.readCount())
    case nil: throw reader.damage("an id has an unknown form")
    }
  }
}

/// Encodes and decodes the ids of a type: integers and texts directly, others by the coder.
struct IDCoding<ID: Hashable & Sendable>: Sendable {
  private let name: String
  private let form: IDForm

  init(for name: String) throws(KinshipError) {
    self.name = name
    if ID.self == Int.self {
      form = .integer
    } else if ID.self == String.self {
      form = .text
    } else {
      guard ID.self is any Codable.Type else { throw .invalidSchema(.notCodable(type: name)) }
      form = .coded
    }
  }

  func encode(
    _ id: ID, by encoder: any RecordEncoder, into bytes: inout [UInt8]
  ) throws(KinshipError) {
    bytes.append(form.rawValue)
    if let integer = id as? Int, form == .integer {
      bytes.append(varint: Int64(integer).zigzag)
    } else if let text = id as? String, form == .text {
      bytes.append(text: text)
    } else if let id = id as? any Codable {
      var coded: [UInt8] = []
      do { try encoder.encode(id, into: &coded) } catch {
        throw .untranslatable(type: name, id: self.id(id), field: "id", cause: error)
      }
      bytes.append(varint: coded.count)
      bytes.append(contentsOf: coded)
    }
  }

  private func id(_ id: any Codable) -> (any Hashable & Sendable)? { id as? ID }

  /// Decodes an id from its bytes, with the form; makes a decoder only if it is needed.
  func decode(
    _ bytes: UnsafeRawBufferPointer, by decoder: () -> any RecordDecoder
  ) throws(KinshipError) -> ID {
    var reader = ByteReader(bytes, of: name, at: 0)
    let stored = IDForm(rawValue: try reader.read(UInt8.self))
    do {
      switch (stored, form) {
      case (.integer, .integer):
        if let id = Int(exactly: Int64(zigzag: try reader.readVarint())) as? ID { return id }
      case (.text, .text):
        if let id = try reader.readText() as? ID { return id }
      case (.coded, .coded):
        let coded = try reader.read(try reader.readCount())
        if let type = ID.self as? any Codable.Type,
          let id = try decoder().decode(type, from: coded) as? ID
        {
          return id
        }
      default: break
      }
    } catch {
      throw .untranslatable(type: name, id: nil, field: "id", cause: error)
    }
    throw .untranslatable(
      type: name, id: nil, field: "id",
      cause: FileDamage(file: name, offset: 0, type: name, cause: "its id is of another type"))
  }
}
