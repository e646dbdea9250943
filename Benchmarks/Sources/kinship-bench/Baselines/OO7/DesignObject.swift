import Kinship

// The object types of OO7 as an object graph without refs, with pointers in both directions.

final class ComplexAssemblyObject {
  var subAssemblies: [ComplexAssemblyObject] = []
  var baseAssemblies: [BaseAssemblyObject] = []
}

final class BaseAssemblyObject {
  let id: Int
  let buildDate: Int
  var privateComponents: [CompositeObject] = []
  var sharedComponents: [CompositeObject] = []

  init(_ record: BaseAssembly) { (id, buildDate) = (record.id, record.buildDate) }
}

final class CompositeObject {
  let id: Int
  let buildDate: Int
  let document: DocumentObject
  var parts: [AtomObject] = []
  var rootPart: AtomObject?
  var usedInPrivate: [BaseAssemblyObject] = []
  var usedInShared: [BaseAssemblyObject] = []

  init(_ record: DesignComposite) {
    id = record.composite.id
    buildDate = record.composite.buildDate
    document = DocumentObject(record.document)
    parts = record.atomicParts.map(AtomObject.init)
    let first = parts.first?.id ?? 0
    rootPart = parts.first
    for link in record.connections {
      guard let from = link.from, let to = link.to else { continue }
      let connection = ConnectionObject(
        link, from: parts[from.id - first], to: parts[to.id - first])
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

  /// Removes the part from all assemblies, and breaks its own cycles.
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
  var buildDate: Int
  var x: Int
  var y: Int
  var to: [ConnectionObject] = []
  var from: [ConnectionObject] = []
  var partOf: CompositeObject?
  /// Its position among the parts of its date.
  var place = 0

  init(_ record: AtomicPart) {
    (id, docID, type) = (record.id, record.docID, record.type)
    (buildDate, x, y) = (record.buildDate, record.x, record.y)
  }
}

final class ConnectionObject {
  let id: Int
  let type: String
  let length: Int
  let from: AtomObject
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
  var part: CompositeObject?

  init(_ record: Document) { (id, title, text) = (record.id, record.title, record.text) }
}
