import Kinship

/// All objects of a module, and the indexes that its queries need.
final class DesignObjects {
  let manual: String
  let root: ComplexAssemblyObject
  let baseAssemblies: [BaseAssemblyObject]
  private(set) var composites: [Int: CompositeObject] = [:]
  private(set) var atoms: [Int: AtomObject] = [:]
  private(set) var documents: [Int: DocumentObject] = [:]
  private(set) var documentsByTitle: [String: DocumentObject] = [:]
  /// The parts by the date on which they were built.
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

  // The objects refer to each other in cycles.
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

  /// Changes the date of a part, and its place in the index.
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
