import Kinship
import Testing

@testable import family_tree

struct NameConditionTests {
  private func matches(_ words: String, _ name: String) async throws -> Bool {
    let person = Person(id: "@I1@", name: PersonName(full: name))
    let condition = try #require(PersonCondition("name=\(words)"))
    return try await Archive(Genealogy(persons: [person])).cache
      .find(PersonQuestion(conditions: [condition]).query.count) == 1
  }

  @Test(arguments: [
    ("dvorak", "Antonín Dvořák"), ("DVOŘÁK", "Antonin Dvorak"), ("a d", "Antonín Dvořák"),
    ("strass", "Straße"), ("dvorak antonin", "Antonín Dvořák"), ("nin dvo", "Antonín Dvořák"),
  ])
  func `a name matches the words`(words: String, name: String) async throws {
    #expect(try await matches(words, name))
  }

  @Test(arguments: [("bob", "Ann"), ("ann bob", "Ann")])
  func `a name does not match the words`(words: String, name: String) async throws {
    #expect(try await !matches(words, name))
  }
}
