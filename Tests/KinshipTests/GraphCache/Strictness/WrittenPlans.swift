import Kinship
import KinshipTesting
import KinshipTestSupport
import Testing

/// The plans that a cache writes, verbatim: this file shows that they compile.
enum WrittenPlans {
  struct Odd: GraphRecord {
    let id: Int
    var `default`: Ref<Odd>?
    var `self`: Ref<Odd>?
    var `init`: [Ref<Odd>] = []
    var either: OneOf<Odd, TestPlace>?
    var around = Around()

    struct Around: Sendable, Hashable {
      var `Type`: Ref<Odd>?
    }

    static let relationships: Relationships<Odd> = [
      .toOne(\.default), .toOne(\.`self`), .toMany(\.`init`), .toOneOf(\.either),
      .toOne(\.around.`Type`),
    ]
  }

  static let fartherFather =
    Plan<TestPerson>.following(\.father, generations: 2)

  static let father =
    Plan<TestPerson>.following(\.father, generations: 3)

  static let afterAll =
    Plan<TestPerson>.generations(1).following(\TestEvent.place, generations: 2)

  static let included =
    Plan<TestPerson>.following(\.father, \.mother, generations: 1).following(\.events)
    .following(\TestEvent.place, generations: 2).limited(to: 100)

  static let limited =
    Plan<TestPerson>.following(\.father, generations: 5).limited(to: 3)

  static let children =
    Plan<TestPerson>
    .following(Inverse<TestPerson, TestPerson>(\.father), generations: 1)

  static let places =
    Plan<TestEvent>.following(\.place, generations: 1)

  static let odd =
    Plan<WrittenPlans.Odd>.following(\.default, \.`self`, \.`init`, \.either, generations: 1)

  static let nested =
    Plan<WrittenPlans.Odd>.following(\.around.`Type`, generations: 2)

  static let foreign =
    Plan<TestPlace>.generations(0).following(\TestEvent.place, generations: 1)

  static let last = Plan<TestPerson>.generations(0)

  /// Requires that a text equals one of these plans.
  static func require(
    _ text: String, as name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = "Tests/KinshipTests/GraphCache/Strictness/WrittenPlans.swift"
    let code = try RepositoryFile(path).text
    let isThere = code.filter { !$0.isWhitespace }.contains(
      "staticlet\(name)=\(text.filter { !$0.isWhitespace })static")
    #expect(isThere, "\(name) was written as \(text)", sourceLocation: sourceLocation)
  }
}
