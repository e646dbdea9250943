// The object types of OO7 as an object graph without refs has them: joined by pointers both ways.

final class ComplexAssemblyObject {
  fileprivate(set) var subAssemblies: [ComplexAssemblyObject] = []
  fileprivate(set) var baseAssemblies: [BaseAssemblyObject] = []
}

final class BaseAssemblyObject {
  let id: Int
  let buildDate: Int
  var privateComponents: [CompositeObject] = []
  fileprivate(set) var sharedComponents: [CompositeObject] = []

  init(_ record: BaseAssembly) { (id, buildDate) = (record.id, record.buildDate) }
}

final class CompositeObject {
  let id: Int
  let buildDate: Int
  let document: DocumentObject
  fileprivate(set) var parts: [AtomObject] = []
  fileprivate(set) var rootPart: AtomObject?
  fileprivate(set) var usedInPrivate: [BaseAssemblyObject] = []
  fileprivate(set) var usedInShared: [BaseAssemblyObject] = []

  init(_ record: DesignComposite) {
    id = record.composite.id
    buildDate = record.composite.buildDate
    document = DocumentObject(record.document)
    parts = record.atomicParts.map(AtomObject.init)
    let first = parts.first?.id ?? 0
    rootPart = parts.first
    for link in record.connections {
      guard let from = link.from, let to = link.to else { continue }
      let connection = ConnectionObject(link, from: parts[from.id - first], to: parts[to.id - first])
      connection.from.to.append(connection)
      connection.to.from.append(connection)
    }
    document.part = self
    for part in parts { part.partOf = self }
  }

  /// Puts the part into an assembly.
  func use(in assembly: BaseAssemblyObject) {
    assembly.privateComponents.append(self)
    usedInPrivate.append(assembly)
  }

  /// Takes the part out of all assemblies, and apart.
  func dismantle() {
    for assembly in usedInPrivate { assembly.privateComponents.removeAll { $0 === self } }
    for assembly in usedInShared { assembly.sharedComponents.removeAll { $0 === self } }
    for part in parts { (part.to, part.from, part.partOf) = ([], [], nil) }
    (usedInPrivate, usedInShared, document.part, parts, rootPart) = ([], [], nil, [], nil)
  }
}

final class AtomObject {
  let id: Int
  let docID: Int
  let type: String
  fileprivate(set) var buildDate: Int
  var x: Int
  var y: Int
  fileprivate(set) var to: [ConnectionObject] = []
  fileprivate(set) var from: [ConnectionObject] = []
  fileprivate(set) var partOf: CompositeObject?
  /// Its place among those of its date.
  fileprivate var place = 0

  init(_ record: AtomicPart) {
    (id, docID, type) = (record.id, record.docID, record.type)
    (buildDate, x, y) = (record.buildDate, record.x, record.y)
  }
}

final class ConnectionObject {
  let id: Int
  let type: String
  let length: Int
  fileprivate let from: AtomObject
  let to: AtomObject

  init(_ record: Connection, from: AtomObject, to: AtomObject) {
    (id, type, length) = (record.id, record.type, record.length)
    (self.from, self.to) = (from, to)
  }
}

final class DocumentObject {
  let id: Int
  let title: String
  let text: String
  fileprivate(set) var part: CompositeObject?

  init(_ record: Document) { (id, title, text) = (record.id, record.title, record.text) }
}

/// All objects of a module, and the indexes that its queries need.
final class DesignObjects {
  let manual: String
  let root: ComplexAssemblyObject
  let baseAssemblies: [BaseAssemblyObject]
  private(set) var composites: [Int: CompositeObject] = [:]
  private(set) var atoms: [Int: AtomObject] = [:]
  private(set) var documents: [Int: DocumentObject] = [:]
  private(set) var documentsByTitle: [String: DocumentObject] = [:]
  /// For each date the parts that were built then.
  private(set) var atomsByDate = [[AtomObject]](repeating: [], count: 2_002)

  convenience init(_ design: Design) {
    self.init(
      manual: design.manual.text, complexAssemblies: design.complexAssemblies,
      baseAssemblies: design.baseAssemblies, composites: design.composites)
  }

  init(
    manual: String, complexAssemblies: [ComplexAssembly], baseAssemblies: [BaseAssembly],
    composites: [DesignComposite]
  ) {
    self.manual = manual
    let complex = complexAssemblies.map { _ in ComplexAssemblyObject() }
    root = complex[0]
    self.baseAssemblies = baseAssemblies.map(BaseAssemblyObject.init)
    for (object, record) in zip(complex, complexAssemblies) {
      object.subAssemblies = record.subAssemblies.map { complex[$0.id] }
      object.baseAssemblies = record.baseAssemblies.map { self.baseAssemblies[$0.id] }
    }
    for composite in composites { insert(composite) }
    for (object, record) in zip(self.baseAssemblies, baseAssemblies) {
      for ref in record.privateComponents { self.composites[ref.id]?.use(in: object) }
      object.sharedComponents = record.sharedComponents.compactMap { self.composites[$0.id] }
      for composite in object.sharedComponents { composite.usedInShared.append(object) }
    }
  }

  // The objects refer to each other in circles.
  deinit { for composite in composites.values { composite.dismantle() } }

  @discardableResult
  func insert(_ record: DesignComposite) -> CompositeObject {
    let composite = CompositeObject(record)
    composites[composite.id] = composite
    documents[composite.document.id] = composite.document
    documentsByTitle[composite.document.title] = composite.document
    for atom in composite.parts {
      atoms[atom.id] = atom
      index(atom)
    }
    return composite
  }

  func delete(_ composite: CompositeObject) {
    for atom in composite.parts {
      atoms[atom.id] = nil
      unindex(atom)
    }
    documents[composite.document.id] = nil
    documentsByTitle[composite.document.title] = nil
    composites[composite.id] = nil
    composite.dismantle()
  }

  /// Changes a date, by which the part is found.
  func setDate(_ date: Int, of atom: AtomObject) {
    unindex(atom)
    atom.buildDate = date
    index(atom)
  }

  private func index(_ atom: AtomObject) {
    atom.place = atomsByDate[atom.buildDate].count
    atomsByDate[atom.buildDate].append(atom)
  }

  private func unindex(_ atom: AtomObject) {
    guard let last = atomsByDate[atom.buildDate].popLast(), last !== atom else { return }
    atomsByDate[atom.buildDate][atom.place] = last
    last.place = atom.place
  }
}
