internal import Kinship

/// The keys and types that the entries of a segment refer to by number.
struct Vocabulary: Sendable {
  /// The keys of its coder.
  private(set) var keys: [String] = []
  /// The record types, each in a version.
  private(set) var types: [StoredType] = []

  /// Whether growth continues this vocabulary.
  func canGrow(by growth: VocabularyGrowth) -> Bool {
    growth.firstKey == keys.count && growth.firstType == types.count
  }

  /// Adds further keys and types.
  ///
  /// - Parameters:
  ///   - growth: The keys and types.
  ///   - resolve: Maps a stored type to a current one.
  /// - Throws: The errors of the closure.
  mutating func grow(
    by growth: VocabularyGrowth,
    resolve: (TypeDeclaration) throws(KinshipError) -> StoredType
  ) throws(KinshipError) {
    for declaration in growth.types { types.append(try resolve(declaration)) }
    keys += growth.keys
  }

  /// Adds further keys and types.
  mutating func add(keys: [String], types: [StoredType]) {
    self.keys += keys
    self.types += types
  }

  /// The whole vocabulary as growth from an empty one.
  var whole: VocabularyGrowth {
    var growth = VocabularyGrowth()
    growth.keys = keys
    growth.types = types.map(\.declaration)
    return growth
  }
}
