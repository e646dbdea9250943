internal import Kinship

/// Keys and types that the entries of a segment have not referred to before.
struct VocabularyGrowth: Equatable, Sendable {
  /// The number of keys before.
  var firstKey = 0
  var keys: [String] = []
  /// The number of types before.
  var firstType = 0
  var types: [TypeDeclaration] = []

  func write(to bytes: inout [UInt8]) {
    bytes.append(varint: firstKey)
    bytes.append(texts: keys)
    bytes.append(varint: firstType)
    bytes.append(varint: types.count)
    for type in types { type.write(to: &bytes) }
  }

  init() {}

  /// - Throws: `KinshipError.damaged`.
  init(from reader: inout ByteReader) throws(KinshipError) {
    firstKey = try reader.readNumber()
    keys = try reader.readTexts()
    firstType = try reader.readNumber()
    for number in 0..<(try reader.readCount()) {
      let type = try TypeDeclaration(from: &reader)
      guard type.number == firstType + number else {
        throw reader.damage("the types are not numbered one after another")
      }
      types.append(type)
    }
  }
}
