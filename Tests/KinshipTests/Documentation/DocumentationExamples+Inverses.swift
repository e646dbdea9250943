import Kinship
import Testing

extension DocumentationExamples {
  struct Employee: GraphRecord {
    let id: Int
    var name: String
    var manager: Ref<Employee>?

    static let relationships: Relationships<Employee> = [.toOne(\.manager)]
    static let reports = Inverse<Employee, Employee>(\.manager)
  }

  @Test func `a plan follows an inverse`() async throws {
    let store = MemoryStore([
      Employee(id: 1, name: "Ada"), Employee(id: 2, name: "Ben", manager: 1),
      Employee(id: 3, name: "Cleo", manager: 1), Employee(id: 4, name: "Dan", manager: 2),
    ])
    let cache = try GraphCache(for: Employee.self, store: store)
    let ref: Ref<Employee> = 1
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }

    let organisation = try await cache.graph(
      of: ref, .following(Employee.reports, generations: 3))
    for report in organisation.root[Employee.reports] {
      show("\(report.name), with \(report[Employee.reports].count) reports")
    }

    #expect(shown == ["Ben, with 1 reports", "Cleo, with 0 reports"])
    #expect(organisation.nodes(of: Employee.self).allSatisfy { $0[Employee.reports].isComplete })
  }

  @Test func `a graph follows an inverse for two generations`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 8

    let forebear = try await cache.graph(of: ref, .following(Person.children, generations: 2))
    let grandchildren = forebear.root[Person.children].flatMap { $0[Person.children] }

    #expect(grandchildren.map(\.name) == ["Albert"])
  }
}
