import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// Every error names the type, the id and the cause.
struct KinshipErrorTests {
  private struct Outage: Error, CustomStringConvertible {
    var description: String { "the line is dead" }
  }

  private func refs(_ ids: Range<Int>) -> [AnyRef] { ids.map { AnyRef(Ref<TestPlace>($0)) } }

  @Test func `localizedDescription equals description`() {
    let missing = KinshipError.missing(AnyRef(Ref<TestPlace>(1)))
    let partial = PartialAnswer<TestPlace>([], failures: [.init(1, cause: missing)])
    let system = SystemError(.open, "/a", 13)
    #expect(missing.localizedDescription == "TestPlace(1) does not exist.")
    #expect(partial.localizedDescription == partial.description)
    #expect(system.localizedDescription == system.description)
    #expect(
      FileReplacementError.failed(system).localizedDescription
        == "The file was not replaced: \(system)")
  }

  @Test func `every public error has a localized description`() throws {
    let declaration = /public (?:enum|struct|final class) (\w+)(?:<[^>]*>)?: (?:\w+, )*Error\b/
    let files = try RepositoryFile.all(in: "Sources", ending: [".swift"])
    let errors = files.flatMap { $0.text.matches(of: declaration).map { String($0.output.1) } }
    #expect(errors.count >= 11)
    for error in errors {
      let isLocalized = files.contains { $0.text.contains("\(error): LocalizedError") }
      #expect(isLocalized, "\(error)")
    }
  }

  @Test func `every error is a sentence`() {
    let first = AnyRef(Ref<TestPlace>(1))
    let second = AnyRef(Ref<TestPlace>(2))
    let sentences: [(KinshipError, String)] = [
      (.unknownType("City"), "The record type City is not in the schema."),
      (
        .unknownRelationship(type: "TestPlace", property: "\\TestPlace.name"),
        "\\TestPlace.name is not among the relationships of TestPlace."
      ),
      (.missing(first), "TestPlace(1) does not exist."),
      (
        .identityChanged(from: first, to: second),
        "An update must not change the identity of TestPlace(1), to TestPlace(2)."
      ),
      (
        .unstableID(type: "Sample"),
        "An id of Sample is not equal to itself, or its hash changes."
      ),
      (.unrelated(first), "The graph neither holds TestPlace(1) nor refers to it."),
      (
        .fetchFailed(type: "TestPlace", ids: refs(1..<3), cause: Outage()),
        "Fetching TestPlace 1, 2 failed: the line is dead"
      ),
      (
        .fetchFailed(type: "TestPlace", ids: refs(1..<101), cause: Outage()),
        "Fetching TestPlace 1, 2, 3 and 97 more failed: the line is dead"
      ),
      (
        .unexpectedRecord(first),
        "The backing store answered with TestPlace(1), which was not asked for, or came twice."
      ),
      (
        .changesSeveralStores(types: [["Person", "Event"], ["Image"]]),
        "A transaction changes several stores and none leads: Person, Event; Image."
      ),
      (
        .committedInPart(committed: ["Person"], failed: ["Image", "Sound"], cause: Outage()),
        "Changes of Person were committed before those of Image, Sound failed: the line is dead"
      ),
      (
        .outOfOrder(first),
        "The backing store answered a query with TestPlace(1), which belongs before the one "
          + "that it follows."
      ),
    ]
    for (error, sentence) in sentences { #expect(error.description == sentence) }
  }
}
