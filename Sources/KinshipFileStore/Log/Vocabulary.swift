internal import Kinship

/// What the entries of a segment refer to by numbers.
struct Vocabulary: Sendable {
  /// The keys of its coder.
  private(set) var keys: [String] = []
  /// The record types, each in a version.
  private(set) var types: [StoredType] = []

  /// Whether growth is what follows.
  func canGrow(by growth: VocabularyGrowth) -> Bool {
    growth.firstKey == keys.count && growth.firstType == types.count
  }

  /// Adds keys and types that follow.
  ///
  /// - Parameters:
  ///   - growth: What follows.
  ///   - resolve: What a stored type is today.
  /// - Throws: What the closure throws.
  mutating func grow(
    by growth: VocabularyGrowth,
    resolve: (TypeDeclaration) throws(KinshipError) -> StoredType
  ) throws(KinshipError) {
    for declaration in growth.types { types.append(try resolve(declaration)) }
    keys += growth.keys
  }

  /// Adds keys and types that follow.
  mutating func add(keys: [String], types: [StoredType]) {
    self.keys += keys
    self.types += types
  }

  /// All of it, as growth from nothing.
  var whole: VocabularyGrowth {
    var growth = VocabularyGrowth()
    growth.keys = keys
    growth.types = types.map(\.declaration)
    return growth
  }
}
