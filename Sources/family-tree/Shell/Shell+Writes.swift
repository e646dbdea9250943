import Kinship

/// Commands that change something.
extension Shell {
  mutating func rename(_ text: String, to name: String) async throws {
    let person = try await person(text)
    let name = PersonName(gedcom: name)
    let changes = try await undoStack.write { tx in try tx.update(person, \.name, to: name) }
    try await report(changes)
  }

  mutating func addChild(of parent: String, _ name: String, _ sex: Sex) async throws {
    let place = try await familyOfChild(parent)
    let name = PersonName(gedcom: name)
    let number = try await archive.nextNumber()
    let changes = try await undoStack.write { tx in
      var family = try place.family(&tx)
      let xref = tx.freeXref("I", after: number, of: Person.self)
      var child = Person(id: xref, number: number, name: name, sex: sex)
      child.familyOfBirth = family.ref
      child.father = family.husband
      child.mother = family.wife
      family.children.append(child.ref)
      try tx.insert(child)
      try tx.put(family)
    }
    try await report(changes)
  }

  mutating func delete(_ text: String) async throws {
    let subject = try await subject(text)
    do {
      let changes = try await undoStack.write { tx in
        try Deletion(of: subject, &tx).perform(&tx)
      }
      try await report(changes)
    } catch KinshipError.deletionDenied {
      let deletion = try await Deletion.preview(of: subject, in: archive.cache)
      let records = try await DeletionRecords(deletion, in: archive.cache)
      throw deletion.denial(records) ?? ShellMistake.notFound(text)
    }
  }

  mutating func undo() async throws {
    guard let changes = try await undoStack.undo() else { throw ShellMistake.nothingToUndo }
    try await report(changes)
  }

  mutating func redo() async throws {
    guard let changes = try await undoStack.redo() else { throw ShellMistake.nothingToRedo }
    try await report(changes)
  }

  /// Where a child belongs: in the family, or in the only family of the person, that a text means.
  private func familyOfChild(_ text: String) async throws -> ChildPlace {
    if let family = try await archive.family(text) { return .family(family.ref) }
    let parent = try await archive.cache.resolve(person(text))
    guard let first = parent.families.first else {
      return .newFamily(of: parent, after: archive.size.families)
    }
    guard parent.families.count == 1 else {
      throw ShellMistake.severalFamilies(ChangeText.label(parent), parent.families.map(\.id))
    }
    return .family(first)
  }
}
