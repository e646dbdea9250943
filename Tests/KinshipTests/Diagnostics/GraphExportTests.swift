import Kinship
import KinshipDiagnostics
import KinshipTestSupport
import Testing

/// Graphs as text.
struct GraphExportTests {
  private func graph() async throws -> Graph<TestPerson> {
    let store = MemoryStore([
      TestPerson(id: 1, name: "A", father: 2, mother: 3, children: [1], events: [1, 8]),
      TestPerson(id: 2, name: "B", father: 4),
      TestPerson(id: 3, name: "C", father: 2, mother: 9),
    ])
    store.insert([TestEvent(id: 1, title: "Birth", person: 1, place: 1)])
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
    return try await cache.graph(of: Ref<TestPerson>(1), .generations(1))
  }

  @Test func `a graph prints as a tree`() async throws {
    #expect(
      try await graph().description == """
        TestPerson(1)
        ├─ father: TestPerson(2)
        │  └─ father: TestPerson(4) …
        ├─ mother: TestPerson(3)
        │  ├─ father: TestPerson(2) ↑
        │  └─ mother: TestPerson(9) …
        ├─ children: TestPerson(1) ↑
        ├─ events: TestEvent(1)
        │  ├─ person: TestPerson(1) ↑
        │  └─ place: TestPlace(1) …
        └─ events: TestEvent(8) ∅
        """)
    #expect(
      try await graph().debugDescription
        == "Graph of TestPerson(1): 3 TestPerson, 1 TestEvent, 2 generations")
  }

  @Test func `a graph exports as a Graphviz digraph`() async throws {
    let dot = try await graph().dot { record in
      (record as? TestPerson).map { "\"\($0.name)\" \\ of\nWindsor" } ?? "event"
    }
    #expect(
      dot == #"""
        digraph Kinship {
          node [shape=box, style=rounded];
          n0 [label="\"A\" \\ of\nWindsor"];
          n1 [label="\"B\" \\ of\nWindsor"];
          n2 [label="\"C\" \\ of\nWindsor"];
          n3 [label="event"];
          n4 [label="TestEvent(8)", style="rounded,dotted"];
          n5 [label="TestPerson(4)", style="rounded,dashed"];
          n6 [label="TestPerson(9)", style="rounded,dashed"];
          n7 [label="TestPlace(1)", style="rounded,dashed"];
          n0 -> n1 [label="father"];
          n0 -> n2 [label="mother"];
          n0 -> n0 [label="children"];
          n0 -> n3 [label="events"];
          n0 -> n4 [label="events"];
          n1 -> n5 [label="father"];
          n2 -> n1 [label="father"];
          n2 -> n6 [label="mother"];
          n3 -> n0 [label="person"];
          n3 -> n7 [label="place"];
        }

        """#)
  }

  @Test func `a graph exports as a Mermaid flowchart`() async throws {
    let mermaid = try await graph().mermaid { record in
      (record as? TestPerson).map { "\($0.name) <\"#1\" & co>\n" } ?? "event"
    }
    #expect(
      mermaid == """
        flowchart LR
          n0("A #lt;#quot;#35;1#quot; #amp; co#gt; ")
          n1("B #lt;#quot;#35;1#quot; #amp; co#gt; ")
          n2("C #lt;#quot;#35;1#quot; #amp; co#gt; ")
          n3("event")
          n4("TestEvent(8)"):::missing
          n5("TestPerson(4)"):::unloaded
          n6("TestPerson(9)"):::unloaded
          n7("TestPlace(1)"):::unloaded
          n0 -->|"father"| n1
          n0 -->|"mother"| n2
          n0 -->|"children"| n0
          n0 -->|"events"| n3
          n0 -->|"events"| n4
          n1 -->|"father"| n5
          n2 -->|"father"| n1
          n2 -->|"mother"| n6
          n3 -->|"person"| n0
          n3 -->|"place"| n7
          classDef unloaded stroke-dasharray: 6 4
          classDef missing stroke-dasharray: 2 2

        """)
  }

  /// A line of ancestors deeper than any call stack.
  @Test func `a graph deeper than any call stack can be exported`() async throws {
    let people = (0..<20_000).map { TestPerson(id: $0, name: "", father: Ref($0 + 1)) }
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: MemoryStore(people),
      capacity: 100)
    try await cache.put(contentsOf: people)
    let some = try await cache.graph(
      of: Ref<TestPerson>(0), .following(\.father, generations: 2_000))
    #expect(some.generationCount == 2_001)
    let lines = some.tree().split(separator: "\n")
    #expect(lines.count == 2_002)
    #expect(lines[40].hasSuffix("└─ father: TestPerson(40)"))
    #expect(lines[41] == "40▸ └─ father: TestPerson(41)")
    #expect(lines[43] == "40▸       └─ father: TestPerson(43)")
    #expect(lines[81] == "80▸ └─ father: TestPerson(81)")
    // Twice as many ancestors give twice as much text.
    let half = try await cache.graph(
      of: Ref<TestPerson>(0), .following(\.father, generations: 1_000))
    #expect(some.tree().utf8.count * 10 < half.tree().utf8.count * 21)
    #expect(some.description.split(separator: "\n").count == 1_001)
    #expect(some.description.hasSuffix("⋯ 1001 more"))
    #expect(some.shortestPath(from: Ref<TestPerson>(0), to: Ref<TestPerson>(2_000))?.count == 2_000)
  }
}
