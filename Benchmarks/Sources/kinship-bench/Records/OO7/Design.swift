import Kinship

/// The records of an OO7 database of one module, with three connections an atomic part.
struct Design: Sendable {
  /// The atomic parts of each composite part: 20 in a small database, 200 in a medium one.
  let partsEach: Int
  let module: Module
  let manual: Manual
  private(set) var complexAssemblies: [ComplexAssembly] = []
  private(set) var baseAssemblies: [BaseAssembly] = []
  private(set) var composites: [DesignComposite] = []

  static let compositeCount = 500
  private static let fanOut = 3
  /// Six levels of complex assemblies: 364.
  private static let complexCount = (0..<6).reduce(0) { sum, _ in sum * fanOut + 1 }
  private static let baseCount = 729
  /// The number of components of each kind in a base assembly.
  static let componentsEach = 3

  init(partsEach: Int) {
    var generator = SplitMix64(seed: 71)
    self.partsEach = partsEach
    manual = Manual(
      id: 0, title: "Manual 0",
      text: Self.text("I am the manual for module 0.\n", partsEach == 200 ? 1_000_000 : 100_000))
    module = Module(
      id: 0, type: Self.type(0), buildDate: Int.random(in: 1_000...1_999, using: &generator),
      manual: Ref(0), designRoot: Ref(0))
    composites = (0..<Self.compositeCount).map {
      DesignComposite(number: $0, partsEach: partsEach, using: &generator)
    }
    for id in 0..<Self.complexCount {
      let below = Self.fanOut * id + 1..<Self.fanOut * id + 1 + Self.fanOut
      let isLowest = below.lowerBound >= Self.complexCount
      complexAssemblies.append(
        ComplexAssembly(
          id: id, type: Self.type(id),
          buildDate: Int.random(in: 1_000...1_999, using: &generator),
          superAssembly: id == 0 ? nil : Ref((id - 1) / Self.fanOut), module: Ref(0),
          subAssemblies: isLowest ? [] : below.map { Ref($0) },
          baseAssemblies: isLowest ? below.map { Ref($0 - Self.complexCount) } : []))
    }
    // Each composite part is used by an assembly, as nearly always, so that a walk visits all.
    while Set(baseAssemblies.flatMap { $0.privateComponents + $0.sharedComponents }).count
      < Self.compositeCount
    {
      baseAssemblies = (0..<Self.baseCount).map { Self.baseAssembly($0, using: &generator) }
    }
  }

  private static func baseAssembly(_ id: Int, using generator: inout SplitMix64) -> BaseAssembly {
    BaseAssembly(
      id: id, type: type(id), buildDate: Int.random(in: 1_000...1_999, using: &generator),
      superAssembly: Ref((complexCount + id - 1) / fanOut), module: Ref(0),
      privateComponents: components(using: &generator),
      sharedComponents: components(using: &generator))
  }

  /// Returns distinct composite parts, because an assembly uses each once.
  private static func components(using generator: inout SplitMix64) -> [Ref<CompositePart>] {
    var ids: Set<Int> = []
    while ids.count < componentsEach {
      ids.insert(Int.random(in: 0..<compositeCount, using: &generator))
    }
    return ids.sorted().map { Ref($0) }
  }

  /// Returns additional composite parts, each with its base assembly.
  func newComposites(_ count: Int) -> [(part: DesignComposite, assembly: Int)] {
    var generator = SplitMix64(seed: 72)
    return (0..<count).map { number in
      (
        DesignComposite(
          number: Self.compositeCount + number, partsEach: partsEach, using: &generator),
        Int.random(in: 0..<Self.baseCount, using: &generator)
      )
    }
  }

  var atomicParts: [AtomicPart] { composites.flatMap(\.atomicParts) }
  var connections: [Connection] { composites.flatMap(\.connections) }
  var documents: [Document] { composites.map(\.document) }

  /// The number of objects of all types.
  var count: Int {
    2 + complexAssemblies.count + baseAssemblies.count
      + composites.reduce(0) { $0 + 2 + $1.atomicParts.count + $1.connections.count }
  }

  /// The number of times that a walk over the private components visits each composite part.
  var visitsOfComposites: [Int] {
    baseAssemblies.reduce(into: [Int](repeating: 0, count: Self.compositeCount)) { visits, base in
      for ref in base.privateComponents { visits[ref.id] += 1 }
    }
  }

  /// One of ten types.
  static func type(_ number: Int) -> String { "type\(number % 10)" }

  /// A repeated phrase.
  static func text(_ phrase: String, _ count: Int) -> String {
    String(
      decoding: (0..<count).map { [bytes = Array(phrase.utf8)] in
        bytes[$0 % bytes.count]
      }, as: UTF8.self)
  }

  static func schema() throws -> GraphSchema {
    try GraphSchema(
      Module.self, ComplexAssembly.self, BaseAssembly.self, CompositePart.self, AtomicPart.self,
      Connection.self, Document.self, Manual.self)
  }

  /// Puts all records into a cache.
  func put(into cache: GraphCache) async throws {
    try await cache.put(module)
    try await cache.put(manual)
    try await cache.put(contentsOf: complexAssemblies)
    try await cache.put(contentsOf: baseAssemblies)
    try await cache.put(contentsOf: composites.map(\.composite))
    try await cache.put(contentsOf: documents)
    try await cache.put(contentsOf: atomicParts)
    try await cache.put(contentsOf: connections)
  }

  /// Inserts all records.
  func insert(into tx: inout GraphCache.Transaction) throws {
    try tx.insert(module)
    try tx.insert(manual)
    for assembly in complexAssemblies { try tx.insert(assembly) }
    for assembly in baseAssemblies { try tx.insert(assembly) }
    for composite in composites { try composite.insert(into: &tx) }
  }
}

extension DesignComposite {
  /// Inserts all records.
  func insert(into tx: inout GraphCache.Transaction) throws {
    try tx.insert(composite)
    try tx.insert(document)
    for part in atomicParts { try tx.insert(part) }
    for connection in connections { try tx.insert(connection) }
  }
}
