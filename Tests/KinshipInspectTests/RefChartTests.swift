import KinshipProgram
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipFileStore
@testable import KinshipInspection
@testable import KinshipTrials
@testable import kinship_inspect

/// A chart draws the refs that a walk over the records finds.
struct RefChartTests {
  typealias Person = ExampleFamily.Person

  /// A person with any refs: to itself, in circles, and to missing persons.
  struct Born: Command, CustomStringConvertible {
    let father: Int?
    let mother: Int?
    let name: String

    var description: String { "Born(\(father, default: "-"), \(mother, default: "-"), \(name))" }

    static let names = [
      "Vicky", "", "<b>&amp;\"' \u{301}<\u{301}/b>]]>", "漢字 👑", "a\u{0}b\u{1B}[1mc\nd\u{202E}e",
      String(repeating: "Wilhelmina ", count: 50),
    ]

    static func random(using generator: inout SplitMix64) -> Born {
      func ref(_ generator: inout SplitMix64) -> Int? {
        generator.chance(0.7) ? Int.random(in: 0..<14, using: &generator) : nil
      }
      return Born(
        father: ref(&generator), mother: ref(&generator),
        name: names.randomElement(using: &generator) ?? "")
    }

    func person(_ id: Int) -> Person {
      Person(id: id, name: name, father: father.map { Ref($0) }, mother: mother.map { Ref($0) })
    }
  }

  private static let refs = ["Person.father=Person", "Person.mother=Person"]
    .compactMap { RefPath($0) }

  @Test(arguments: [0, 1, 2, 20])
  func `each record is drawn once and each ref as a line`(generations: Int) async throws {
    let measure = TextMeasure(size: 13, isBold: true)
    try await Property.check(seeds: 60, steps: 12, generate: Born.random) { commands, _ in
      let persons = commands.enumerated().map { $1.person($0) }
      let disk = SimulatedDisk()
      let store = try await FileStore(in: disk, at: "/store", schema: GraphSchema(Person.self))
      try await store.apply(ChangeSet(inserting: persons))
      try await store.close()
      let inspection = try Inspection(of: "/store", in: disk, readsAll: false)
      guard !persons.isEmpty else { return }
      let tree = try RefTree(
        of: RefTree.Node(type: "Person", id: 0), in: inspection, Self.refs,
        generations: generations
      ) { _ in }
      let svg = RefChart(of: tree).svg
      let drawn = try DrawnChart(svg)
      try drawn.verifyBoxes { measure.width($0) }
      let (found, pairs) = Self.walk(persons, generations)
      try verifyEqual(drawn.boxes.count, found.count, "records")
      let lines = drawn.lines.filter { $0.hasPrefix("ref") }
      try verifyEqual(lines.count, pairs.count, "lines")
      try verifyEqual(lines.count { $0 == "ref" }, found.count - 1, "branches")
      try verifyEqual(RefChart(of: tree).svg, svg, "another time")
    }
  }

  /// The persons that a walk from the first one reaches, and the refs on the way.
  private static func walk(_ persons: [Person], _ generations: Int) -> (Set<Int>, Set<[Int]>) {
    var (found, pairs, layer): (Set<Int>, Set<[Int]>, Set<Int>) = ([0], [], [0])
    for _ in 0..<generations {
      var next: Set<Int> = []
      for person in layer where persons.indices.contains(person) {
        for target in [persons[person].father, persons[person].mother].compactMap(\.?.id) {
          pairs.insert([person, target])
          if found.insert(target).inserted { next.insert(target) }
        }
      }
      layer = next
    }
    return (found, pairs)
  }

  @Test func `a tree prints as an SVG file`() async throws {
    let (status, console) = run(
      "tree", "/store", "Person:4", "--ref", "Person.father=Person", "--ref",
      "Person.mother=Person", "--format", "svg", in: try await ExampleFamily.disk())
    #expect(status == .success)
    let drawn = try DrawnChart(console.output)
    #expect(
      drawn.names.map(\.text)
        == ["Wilhelm", "Person:9", "Vicky", "Albert, “Prince”", "Victoria"])
    #expect(drawn.lines == [""] + Array(repeating: "ref", count: 4))
  }

  /// No call stack is as deep.
  @Test func `a line of a thousand generations is drawn`() async throws {
    let disk = SimulatedDisk()
    let store = try await FileStore(in: disk, at: "/store", schema: GraphSchema(Person.self))
    let persons = (0..<1_000).map { Person(id: $0, name: "", father: Ref($0 + 1)) }
    try await store.apply(ChangeSet(inserting: persons))
    try await store.close()
    let (status, console) = run(
      "tree", "/store", "Person:0", "--ref", "Person.father=Person", "--generations", "10000",
      "--format", "svg", in: disk)
    #expect(status == .success)
    #expect(try DrawnChart(console.output).boxes.count == 1_001)
  }
}
