import Kinship
import KinshipTestSupport
import Testing

/// Every error names the type, the id and the cause.
struct KinshipErrorTests {
  private struct Outage: Error, CustomStringConvertible {
    var description: String { "the line is dead" }
  }

  private func refs(_ ids: Range<Int>) -> [AnyRef] { ids.map { AnyRef(Ref<TestPlace>($0)) } }

  @Test func anErrorIsASentence() {
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
