import Foundation
import Kinship

extension Lineage {
  /// The persons of a GEDCOM file with their parents; the root is the one to whose ancestors the
  /// most paths lead.
  init(gedcom path: String) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    var persons: [Individual] = []
    var families: [Int: (husband: Int?, wife: Int?)] = [:]
    var family: Int?
    var event = ""
    // Read as Latin-1: every byte is a character, and tags and keys are ASCII.
    for line in String(decoding: data.map { UInt16($0) }, as: UTF16.self).split(
      whereSeparator: \.isNewline)
    {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count > 1 else { continue }
      let value = words.count > 2 ? String(words[2]) : ""
      if words[0] == "0" {
        family = value.hasPrefix("FAM") ? Self.number(words[1]) : nil
        if value.hasPrefix("INDI") { persons.append(Individual(id: Self.number(words[1]))) }
        if let family { families[family] = (nil, nil) }
        continue
      }
      if words[0] == "1" { event = String(words[1]) }
      if let family {
        if words[1] == "HUSB" { families[family]?.husband = Self.number(value) }
        if words[1] == "WIFE" { families[family]?.wife = Self.number(value) }
      } else if var person = persons.popLast() {
        switch (event, words[1]) {
        case ("NAME", "NAME"): person.name = value
        case ("FAMC", "FAMC"): person.family = person.family ?? Self.number(value)
        case ("BIRT", "DATE"): person.year = value.split(separator: " ").last.flatMap { Double($0) }
        case ("BIRT", "PLAC"): person.place = value
        default: break
        }
        persons.append(person)
      }
    }
    records = persons.map { person in
      let parents = person.family.flatMap { families[$0] }
      return Ancestor(
        id: person.id, name: person.name, place: person.place, birth: person.year ?? 0,
        father: parents?.husband.map { Ref($0) }, mother: parents?.wife.map { Ref($0) })
    }
    root = Self.mostPaths(records)
  }

  private struct Individual {
    let id: Int
    var name = ""
    var place = ""
    var year: Double?
    var family: Int?
  }

  /// The number in a key such as `@I609@`.
  private static func number(_ key: some StringProtocol) -> Int {
    Int(String(key.filter(\.isNumber))) ?? 0
  }

  private static func mostPaths(_ records: [Ancestor]) -> Int {
    let byID = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
    var known: [Int: Int] = [:]
    func paths(_ id: Int) -> Int {
      if let count = known[id] { return count }
      // A person's own ancestor adds no paths.
      known[id] = 0
      let parents = [byID[id]?.father, byID[id]?.mother].compactMap { $0?.id }
      let count = parents.reduce(0) { $0 + 1 + paths($1) }
      known[id] = count
      return count
    }
    return records.map(\.id).max { paths($0) < paths($1) } ?? 0
  }
}
