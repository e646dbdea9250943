import Kinship
import KinshipTestSupport
import Testing

@testable import kinship_inspect

struct ConditionTests {
  @Test func `a condition is parsed as it was written`() throws {
    for seed in try Effort().seeds(5_000) {
      var generator = SplitMix64(seed: seed)
      let condition = Condition.random(using: &generator)
      #expect(try Condition(condition.text) == condition, "seed \(seed): \(condition.text)")
    }
  }

  /// Random bytes, and conditions with a missing part, are rejected at a column, or parsed.
  @Test func `a malformed condition is rejected with its column`() throws {
    var refused = 0
    for seed in try Effort().seeds(5_000) {
      var generator = SplitMix64(seed: seed)
      var text = Array(Condition.random(using: &generator).text)
      let place = Int.random(in: 0..<text.count, using: &generator)
      if generator.chance(0.5) {
        text.remove(at: place)
      } else {
        text[place] = "()\"`.<=! \u{0}é9".randomElement(using: &generator) ?? "("
      }
      do { _ = try Condition(String(text)) } catch {
        refused += 1
        #expect((1...text.count + 1).contains(error.column), "seed \(seed): \(String(text))")
        #expect(error.shownText.count == text.count)
      }
    }
    #expect(refused > 0)
  }

  private static let record: FieldValue = {
    var name = RecordFields()
    name["full"] = "Victoria"
    var fields = RecordFields()
    fields["name"] = .fields(name)
    fields["born"] = 1819
    fields["height"] = 1.5
    fields["alive"] = false
    fields["died"] = .null
    fields["children"] = [3, 5]
    fields["a b"] = "é"
    return .fields(fields)
  }()

  @Test(arguments: [
    ("born = 1819", true), ("born != 1819", false), ("born < 1819", false), ("born <= 1819", true),
    ("born > 1818", true), ("born >= 1820", false), ("born > 1818.5", true),
    ("born = 1819.0", true),
    ("height = 1.5", true), ("height > 1", true), ("height < -1e3", false), ("alive = false", true),
    ("alive < true", true), ("name.full = \"Victoria\"", true),
    ("name.full starts with \"V\"", true), ("name.full starts with \"v\"", false),
    ("name.full contains \"tor\"", true), ("name.full contains \"\"", true),
    ("name.full < \"W\"", true), ("name is null", false), ("name is not null", true),
    ("died is null", true), ("missing is null", true), ("missing.deeper is null", true),
    ("died = 3", false), ("died != 3", true), ("died < 3", false), ("not died < 3", true),
    ("born = \"1819\"", false), ("born != \"1819\"", true), ("children contains 5", true),
    ("children contains 4", false), ("children contains \"5\"", false), ("born contains 1", false),
    ("`a b` = \"e\u{301}\"", true), ("born = 1 or born = 1819 and alive = true", false),
    ("(born = 1 or born = 1819) and alive = false", true),
    ("not (born = 1) and died is null", true),
    ("not not born = 1819", true),
  ])
  func `a condition holds or does not`(text: String, holds: Bool) throws {
    #expect(try Condition(text).holds(for: Self.record) == holds)
  }

  @Test(arguments: [
    ("", 1, "there should be the name of a property"),
    ("name", 5, "there should be =, !=, <, <=, >, >=, starts with, contains or is null"),
    (
      "name starst with \"V\"", 6,
      "there should be =, !=, <, <=, >, >=, starts with, contains or is null"
    ),
    ("name starts \"V\"", 13, "there should be with"),
    ("name starts with 3", 18, "there should be a text between quotes"),
    ("name = V", 8, "there should be a number, true, false, or a text between quotes"),
    ("name = null", 8, "null is asked for by is null"),
    ("name = \"V", 8, "the text that begins here has no end"),
    ("name is nothing", 9, "there should be null"),
    ("(name = 3", 10, "there should be a )"),
    ("name = 3)", 9, "there should be and, or, or the end"),
    ("name = 3 & born = 4", 10, "a condition has no “&”"),
    ("name = 12x", 8, "“12x” is no number"),
    ("and = 3", 1, "there should be the name of a property"),
    ("name. = 3", 7, "there should be the name of a property"),
  ])
  func `an error points at its column`(text: String, column: Int, message: String) throws {
    let error = try #require(throws: ConditionError.self) { try Condition(text) }
    #expect(error.column == column)
    #expect(error.message == message)
  }

  @Test func `conditions have a maximum depth`() throws {
    let deep = String(repeating: "(", count: 50_000) + "a = 1"
    #expect(throws: ConditionError.self) { try Condition(deep) }
    let negations = String(repeating: "not ", count: 50_000) + "a = 1"
    #expect(throws: ConditionError.self) { try Condition(negations) }
    // Neither deep nor long conditions end the program.
    let long = Array(repeating: "a = 1", count: 2_000).joined(separator: " or ")
    #expect(try !Condition(long).holds(for: Self.record))
  }
}
