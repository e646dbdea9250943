import Kinship

/// Turns the structures of a GEDCOM file into records, and repairs or reports inconsistencies.
struct GenealogyReader {
  var genealogy = Genealogy()
  var diagnostics = Diagnostics()

  /// The place of each record of level 0, by its xref.
  private(set) var lines: [String: Int] = [:]
  /// The positions of persons and families among the records.
  var persons: [String: Int] = [:]
  var families: [String: Int] = [:]
  /// The links between persons and families, as either side states them.
  var links = FamilyLinks()
  /// The families of a child that births and adoptions name.
  private(set) var linksOfEvents: [FamilyLink] = []

  private var places: Set<String> = []

  static func read(
    _ file: [UInt8]
  ) throws(GedcomError) -> (genealogy: Genealogy, diagnostics: Diagnostics) {
    var reader = GenealogyReader()
    let document = try GedcomDocument(file, diagnostics: &reader.diagnostics)
    for record in document.records { reader.read(record) }
    reader.link()
    reader.reportCircles()
    reader.genealogy.noteLives()
    return (reader.genealogy, reader.diagnostics)
  }

  private mutating func read(_ record: GedcomStructure) {
    if let xref = record.xref {
      if let first = lines[xref] {
        diagnostics.warn(
          record.lineNumber, "\(xref) is already the record of line \(first); left out")
        return
      }
      lines[xref] = record.lineNumber
    }
    switch (record.tag, record.xref) {
    case ("INDI", let xref?): readPerson(record, xref)
    case ("FAM", let xref?): readFamily(record, xref)
    case ("INDI", nil), ("FAM", nil):
      diagnostics.warn(record.lineNumber, "\(record.tag) without an xref; left out")
    default: break
    }
  }

  private mutating func readPerson(_ record: GedcomStructure, _ xref: String) {
    var person = Person(
      id: xref, number: genealogy.persons.count, name: name(of: record))
    for line in record.children {
      switch line.tag {
      case "SEX":
        person.sex = Sex(rawValue: line.text?.prefix(1).uppercased() ?? "") ?? .unknown
      case "FAMC":
        guard let family = pointer(line) else { continue }
        let pedigree = line["PEDI"]?.text?.uppercased()
        let kind: FamilyLink.Kind = pedigree == "BIRTH" ? .birth : .upbringing
        link(pedigree == nil ? .childhood : kind, xref, family, line)
      case "FAMS":
        guard let family = pointer(line) else { continue }
        link(.marriage, xref, family, line)
      default:
        guard let event = readEvent(line) else { continue }
        person.events.append(event)
        readFamily(of: event, line, xref)
      }
    }
    persons[xref] = genealogy.persons.count
    genealogy.persons.append(person)
  }

  private mutating func readFamily(_ record: GedcomStructure, _ xref: String) {
    var family = Family(id: xref)
    let kinds: [String: FamilyLink.Kind] = ["HUSB": .husband, "WIFE": .wife, "CHIL": .child]
    for line in record.children {
      if let kind = kinds[line.tag] {
        if let person = pointer(line) { link(kind, person, xref, line) }
      } else if let event = readEvent(line) {
        family.events.append(event)
      }
    }
    families[xref] = genealogy.families.count
    genealogy.families.append(family)
  }

  private func name(of person: GedcomStructure) -> PersonName {
    guard let line = person["NAME"] else { return PersonName(full: "") }
    func parts(_ tags: String...) -> String {
      tags.compactMap { line[$0]?.text }.joined(separator: " ")
    }
    let surname = parts("SPFX", "SURN")
    if let text = line.text { return PersonName(gedcom: text, surname: surname) }
    return PersonName(gedcom: "\(parts("NPFX", "GIVN")) /\(surname)/ \(parts("NSFX"))")
  }

  private mutating func readEvent(_ line: GedcomStructure) -> Ref<Event>? {
    guard let kind = Event.Kind(rawValue: line.tag) else { return nil }
    var event = Event(id: genealogy.events.count, kind: kind)
    // A `Y` only says that the event happened.
    event.detail = line.text.flatMap { $0 == "Y" ? nil : $0 } ?? line["TYPE"]?.text
    let phrase = line["DATE"]?["PHRASE"]?.text.map { "(\($0))" }
    event.date = (line["DATE"]?.text ?? phrase).map { EventDate(rawValue: $0) }
    if let name = line["PLAC"]?.text {
      // A name that Unicode can write in several ways is one place: all refs get the first
      // spelling.
      let (isNew, place) = places.insert(name)
      event.place = Ref(place)
      if isNew { genealogy.places.append(Place(id: place)) }
    }
    genealogy.events.append(event)
    return event.ref
  }

  /// Reads which family a person was born to, or who adopted the person.
  private mutating func readFamily(
    of event: Ref<Event>, _ line: GedcomStructure, _ person: String
  ) {
    guard ["BIRT", "CHR", "ADOP"].contains(line.tag), let child = line["FAMC"],
      let family = child.pointer, !genealogy.events[event.id].isDenied
    else { return }
    let isAdoption = line.tag == "ADOP"
    linksOfEvents.append(
      FamilyLink(
        kind: isAdoption ? .upbringing : .birth, person: person, family: family,
        lineNumber: child.lineNumber))
    guard isAdoption else { return }
    let adopters = ["HUSB": "by the husband of", "WIFE": "by the wife of", "BOTH": "by both of"]
    let adopter = adopters[child["ADOP"]?.text?.uppercased() ?? ""] ?? "into"
    let details = [genealogy.events[event.id].detail, "\(adopter) \(family)"]
    genealogy.events[event.id].detail = details.compactMap(\.self).joined(separator: ", ")
  }

  private mutating func pointer(_ line: GedcomStructure) -> String? {
    if let pointer = line.pointer { return pointer }
    if !line.pointsNowhere {
      diagnostics.warn(line.lineNumber, "\(line.tag) without a pointer like @I1@; left out")
    }
    return nil
  }

  private mutating func link(
    _ kind: FamilyLink.Kind, _ person: String, _ family: String, _ line: GedcomStructure
  ) {
    let link = FamilyLink(
      kind: kind, person: person, family: family, lineNumber: line.lineNumber)
    if !links.insert(link) {
      diagnostics.warn(line.lineNumber, "\(person) and \(family) are already linked; counted once")
    }
  }

  private mutating func reportCircles() {
    for circle in Lineage(genealogy.persons).circles {
      guard let first = circle.first else { continue }
      let others = circle.count - 1
      let through =
        others == 0 ? "" : ", through \(others) \(others == 1 ? "other" : "others")"
      diagnostics.warn(lines[first.id], "\(first.id) is their own ancestor\(through)")
    }
  }
}
