import KinshipTesting
import Testing

@testable import Kinship

/// Plans written as Swift source.
struct PlanSourceTests {
  private func source<Root: GraphRecord>(_ plan: Plan<Root>) throws -> String {
    let schema = try GraphSchema(
      TestPerson.self, TestEvent.self, TestPlace.self, WrittenPlans.Odd.self)
    let root = try schema.requiredNumber(of: Root.self)
    return PlanDraft(root: root, rules: plan.rules).source(schema)
  }

  /// A plan's source is the code that made the plan.
  @Test func `a plan's source is the code that was written`() throws {
    try WrittenPlans.require(source(WrittenPlans.fartherFather), as: "fartherFather")
    try WrittenPlans.require(source(WrittenPlans.father), as: "father")
    try WrittenPlans.require(source(WrittenPlans.afterAll), as: "afterAll")
    try WrittenPlans.require(source(WrittenPlans.limited), as: "limited")
    try WrittenPlans.require(source(WrittenPlans.children), as: "children")
    try WrittenPlans.require(source(WrittenPlans.places), as: "places")
    try WrittenPlans.require(source(WrittenPlans.odd), as: "odd")
    try WrittenPlans.require(source(WrittenPlans.nested), as: "nested")
    try WrittenPlans.require(source(WrittenPlans.foreign), as: "foreign")
  }

  /// A long plan has a line for each call.
  @Test func `a long plan's source has a line for each call`() throws {
    let text = try source(WrittenPlans.included)
    #expect(text.split(separator: "\n").count == 4)
    #expect(text.hasSuffix("\n  .limited(to: 100)"))
  }

  @Test func `overlapping rules appear once in a plan's source`() throws {
    let plan = Plan<TestPerson>.generations(1).following(\.father, generations: 1)
      .following(\.father, generations: 4).following(\.father, generations: 2)
    #expect(
      try source(plan)
        == #"Plan<TestPerson>.generations(1).following(\.father, generations: 4)"#)
  }

  @Test func `an unnamed property becomes a placeholder in a plan's source`() {
    #expect(SwiftName.ofPath("<offset 16 (Int)>") == "<#<offset 16 (Int)>#>")
    #expect(SwiftName.ofPath("a?.class.my own") == "a?.class.`my own`")
  }
}
