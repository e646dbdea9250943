import Kinship

// The object types of OO7. Its document and manual are texts, its design objects have a type and a
// date. An `Inverse` replaces each pointer back from many to one or to many.

struct Module: GraphRecord, Codable {
  let id: Int
  var type: String
  var buildDate: Int
  var manual: Ref<Manual>
  var designRoot: Ref<ComplexAssembly>

  static let relationships: Relationships<Module> = [.toOne(\.manual), .toOne(\.designRoot)]
}

struct ComplexAssembly: GraphRecord, Codable {
  let id: Int
  var type: String
  var buildDate: Int
  var superAssembly: Ref<ComplexAssembly>?
  var module: Ref<Module>
  /// At the lowest level these are base assemblies.
  var subAssemblies: [Ref<ComplexAssembly>]
  var baseAssemblies: [Ref<BaseAssembly>]

  static let relationships: Relationships<ComplexAssembly> = [
    .toOne(\.superAssembly), .toOne(\.module), .toMany(\.subAssemblies, inverse: \.superAssembly),
    .toMany(\.baseAssemblies, inverse: \.superAssembly),
  ]
}

struct BaseAssembly: GraphRecord, Codable {
  let id: Int
  var type: String
  var buildDate: Int
  var superAssembly: Ref<ComplexAssembly>?
  var module: Ref<Module>
  var privateComponents: [Ref<CompositePart>]
  var sharedComponents: [Ref<CompositePart>]

  static let relationships: Relationships<BaseAssembly> = [
    .toOne(\.superAssembly), .toOne(\.module), .toMany(\.privateComponents),
    .toMany(\.sharedComponents),
  ]
}

struct CompositePart: GraphRecord, Codable {
  let id: Int
  var type: String
  var buildDate: Int
  var document: Ref<Document>?
  var rootPart: Ref<AtomicPart>?
  var parts: [Ref<AtomicPart>]

  static let relationships: Relationships<CompositePart> = [
    .toOne(\.document, inverse: \.part, onDelete: .cascade), .toOne(\.rootPart),
    .toMany(\.parts, inverse: \.partOf, onDelete: .cascade),
  ]
  static let usedInPrivate = Inverse<CompositePart, BaseAssembly>(\.privateComponents)
  static let usedInShared = Inverse<CompositePart, BaseAssembly>(\.sharedComponents)
}

struct AtomicPart: GraphRecord, Codable {
  let id: Int
  var type: String
  var buildDate: Int
  var x: Int
  var y: Int
  var docID: Int
  var to: [Ref<Connection>]
  var partOf: Ref<CompositePart>?

  static let relationships: Relationships<AtomicPart> = [
    .toMany(\.to, inverse: \.from, onDelete: .cascade), .toOne(\.partOf),
  ]
  static let indexes: RecordIndexes<AtomicPart> = [.ordered(\.buildDate)]
  static let from = Inverse<AtomicPart, Connection>(\.to)
}

struct Connection: GraphRecord, Codable {
  let id: Int
  var type: String
  var length: Int
  var from: Ref<AtomicPart>?
  var to: Ref<AtomicPart>?

  static let relationships: Relationships<Connection> = [
    .toOne(\.from), .toOne(\.to, onTargetDelete: .cascade),
  ]
}

struct Document: GraphRecord, Codable {
  let id: Int
  var title: String
  var text: String
  var part: Ref<CompositePart>?

  static let relationships: Relationships<Document> = [.toOne(\.part)]
  static let indexes: RecordIndexes<Document> = [.hashed(\.title)]
}

struct Manual: GraphRecord, Codable {
  let id: Int
  var title: String
  var text: String
}
