import Kinship
import Synchronization
import KinshipTestSupport
import Testing

extension DocumentationExamples {
  @Test func `an observer of a ref sees its record`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42
    let names = Log<String?>()
    func show(_ name: String?) { names.append(name) }

    let task = Task {
      for try await change in cache.observe(ref) {
        show(change.value?.name)
      }
    }
    try await wait { names.all.last == "Albert" }
    task.cancel()
    try await task.value
    #expect(cache.statistics.observers == 0)
  }

  @Test func `observers of a relationship see its records and their moves`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42
    let moves = Log<[Int]>()
    let shown = Log<[Event]>()
    func moveRow(_ from: Int, to: Int) { moves.append([from, to]) }

    let task = Task {
      for try await change in cache.observe(ref.related(\.events)) {
        for move in change.diff.moved { moveRow(move.from, to: move.to) }
      }
    }
    let other = Task {
      var rows: [Event] = [] {
        didSet { shown.append(rows) }
      }
      for try await change in cache.observe(ref.related(\.events)) {
        rows = change.diff.applying(to: rows)
      }
    }
    try await wait { shown.all.last?.count == 1 }
    task.cancel()
    other.cancel()
    try await task.value
    try await other.value
    #expect(moves.all == [])
  }

  @Test func `observers of graphs and types see their records`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42
    let counts = Log<Int>()
    func draw(_ family: Graph<Person>) { counts.append(family.count) }
    func index(_ inserted: [Person], _ updated: [Person]) { counts.append(inserted.count) }

    let task = Task {
      for try await change in cache.observe(ref.graph(.generations(3))) {
        if let family = change.value { draw(family) }
      }
    }
    try await wait { counts.all.last == 5 }
    task.cancel()
    try await task.value
    let other = Task {
      for try await change in cache.observe(Person.self) {
        index(change.diff.inserted, change.diff.updated.map(\.new))
      }
    }
    try await wait { counts.all.last == 3 }
    other.cancel()
    try await other.value

    let names = cache.observe(Person.self).filtered(by: \.name)
    for try await change in names {
      #expect(change.value.count == 3)
      break
    }
  }

  @MainActor @Test func `a live value shows the record in memory at once`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Person> = 42
    var title = ""
    _ = try await cache.find(ref)

    let person = Live(cache, ref)
    title = person.value?.name ?? "Loading"

    #expect(title == "Albert")
  }

  /// The actions of examples, in order.
  private final class Log<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])
    var all: [Entry] { entries.withLock { $0 } }
    func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }
  }
}
