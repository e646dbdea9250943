internal import Kinship

/// The keys and types that the entries of a segment refer to by number.
struct Vocabulary: Sendable {
  var keys: [String] = []
  private(set) var types: [StoredType] = []

  func canGrow(by growth: VocabularyGrowth) -> Bool {
    growth.firstKey == keys.count && growth.firstType == types.count
  }

  mutating func grow(
    by growth: VocabularyGrowth, _ environment: LogEnvironment
  ) throws(KinshipError) {
    for type in growth.types {
      types.append(try environment.migrations.resolve(type, in: environment.schema))
    }
    keys += growth.keys
  }

  /// The number by which entries refer to a type; a new type is added.
  mutating func number(of type: StoredType) -> Int {
    let declared = type.declaration
    let known = types.firstIndex {
      $0.declaration.version == declared.version && $0.declaration.name == declared.name
    }
    if let known { return known }
    types.append(
      StoredType(
        declaration: TypeDeclaration(
          number: types.count, name: declared.name, version: declared.version,
          fields: declared.fields),
        type: type.type, number: type.number, steps: type.steps))
    return types.count - 1
  }

  var whole: VocabularyGrowth { growth(from: Vocabulary()) }

  /// The keys and types that an earlier vocabulary lacks.
  func growth(from earlier: Vocabulary) -> VocabularyGrowth {
    VocabularyGrowth(
      firstKey: earlier.keys.count, keys: Array(keys[earlier.keys.count...]),
      firstType: earlier.types.count,
      types: types[earlier.types.count...].map(\.declaration))
  }
}

/// Keys and types that the entries of a segment have not referred to before.
struct VocabularyGrowth: Equatable, Sendable {
  var firstKey = 0
  var keys: [String] = []
  var firstType = 0
  var types: [TypeDeclaration] = []

  func write(to bytes: inout [UInt8]) {
    bytes.append(varint: firstKey)
    bytes.append(texts: keys)
    bytes.append(varint: firstType)
    bytes.append(varint: types.count)
    for type in types { type.write(to: &bytes) }
  }
}

extension VocabularyGrowth {
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
