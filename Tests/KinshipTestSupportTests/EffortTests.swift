import KinshipTestSupport
import Testing

struct EffortTests {
  @Test func `a run without settings makes a tenth of a thorough one`() throws {
    #expect(try Effort(environment: [:]).seeds(20) == 1...2)
  }

  @Test func `a thorough run makes as many operations as the test asks for`() throws {
    let effort = try Effort(environment: ["KINSHIP_OPERATIONS": "1"])
    #expect(effort.seeds(20) == 1...20)
    #expect(effort.operations(300) == 300)
  }

  @Test func `one seed replays alone`() throws {
    let effort = try Effort(environment: ["KINSHIP_SEED": "17", "KINSHIP_OPERATIONS": "10"])
    #expect(effort.seeds(20) == 17...17)
  }

  @Test func `the effort scales the number of seeds`() throws {
    #expect(try Effort(environment: ["KINSHIP_OPERATIONS": "2.5"]).seeds(10) == 1...25)
    #expect(try Effort(environment: ["KINSHIP_OPERATIONS": "0.001"]).seeds(10) == 1...1)
    #expect(try Effort(environment: ["KINSHIP_OPERATIONS": "1e6"]).operations(.max) == .max)
  }

  @Test func `less effort leaves out cases`() throws {
    let cases = 1...1_000
    for scale in ["1", "10"] {
      let effort = try Effort(environment: ["KINSHIP_OPERATIONS": scale])
      #expect(effort.some(of: cases) == Array(cases))
    }
    let tenth = try Effort(environment: ["KINSHIP_OPERATIONS": "0.1"])
    #expect(tenth.some(of: cases) == Array(stride(from: 1, through: 1_000, by: 10)))
    #expect(tenth.some(of: ["a", "b"]) == ["a"])
    #expect(tenth.some(of: "").isEmpty)
    let most = try Effort(environment: ["KINSHIP_OPERATIONS": "0.8"]).some(of: cases)
    #expect(most.count == 800)
    #expect(most.prefix(5) == [1, 3, 4, 5, 6])
  }

  @Test(arguments: [
    ("KINSHIP_SEED", "-1"), ("KINSHIP_SEED", "seven"), ("KINSHIP_SEED", ""),
    ("KINSHIP_OPERATIONS", "0"), ("KINSHIP_OPERATIONS", "-3"), ("KINSHIP_OPERATIONS", "nan"),
    ("KINSHIP_OPERATIONS", "inf"), ("KINSHIP_OPERATIONS", "many"),
  ])
  func `an invalid setting is rejected by name`(variable: String, value: String) {
    let error = #expect(throws: EffortError.self) { try Effort(environment: [variable: value]) }
    #expect(error?.variable == variable)
    #expect(
      error?.description.hasPrefix("The variable \(variable) is “\(value)”, and must be ") == true)
  }
}
