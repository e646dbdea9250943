import Testing

@testable import family_tree

struct NameQueryTests {
  private func matches(_ query: String, _ name: String) -> Bool {
    NameQuery(query).matches(Person(id: "@I1@", name: PersonName(full: name)))
  }

  @Test(arguments: [
    ("dvorak", "Antonín Dvořák"), ("DVOŘÁK", "Antonin Dvorak"), ("lodz", "Łódź"),
    ("a d", "Antonín Dvořák"),
    ("strass", "Straße"), ("aero", "Ærø"), ("dvorak antonin", "Antonín Dvořák"),
    ("nin dvo", "Antonín Dvořák"),
  ])
  func found(query: String, name: String) {
    #expect(matches(query, name))
  }

  @Test(arguments: [("", "Ann"), ("  ", "Ann"), ("bob", "Ann"), ("ann bob", "Ann")])
  func notFound(query: String, name: String) {
    #expect(!matches(query, name))
  }
}
