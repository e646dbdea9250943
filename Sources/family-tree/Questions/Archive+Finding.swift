import Kinship

extension Archive {
  /// Everybody whose name holds every word of a text, in the order of the file.
  func persons(named name: String) async throws -> [Person] {
    let query = NameQuery(name)
    var found: [Person] = []
    try await forEachPage { found += $0.filter(query.matches) }
    return found
  }

  /// Whom a text can mean: the person with this xref, with or without its at signs; else the only
  /// one with exactly this name; else everybody with such a name.
  func candidates(for text: String) async throws -> [Person] {
    if let person = try await cache.find(Ref<Person>(Self.xref(text))) { return [person] }
    let persons = try await persons(named: text)
    let namesakes = persons.filter(NameQuery(text).isName)
    return namesakes.count == 1 ? namesakes : persons
  }

  /// The family with this xref, with or without its at signs.
  func family(_ text: String) async throws -> Family? {
    try await cache.find(Ref<Family>(Self.xref(text)))
  }

  private static func xref(_ text: String) -> String {
    text.hasPrefix("@") ? text : "@\(text)@"
  }
}
