import Kinship
import Testing

/// The example of a view, with the parts of SwiftUI that it needs, which not every system has.
@MainActor
struct ViewExamples {
  typealias Person = DocumentationExamples.Person

  @MainActor
  protocol View {
    associatedtype Body
    var body: Body { get }
  }

  struct Text: View {
    let body: String

    init(_ text: String) { body = text }
  }

  @MainActor
  @propertyWrapper
  struct State<Value> {
    let wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  }

  struct PersonView: View {
    @State private var person: Live<Person?>
    init(cache: GraphCache, ref: Ref<Person>) { _person = State(wrappedValue: Live(cache, ref)) }
    var body: some View { Text(person.value?.name ?? "Loading") }
  }

  @Test func `a view shows the record in memory`() async throws {
    let cache = try DocumentationExamples.cache()
    #expect((PersonView(cache: cache, ref: 42).body as? Text)?.body == "Loading")
    _ = try await cache.resolve(Ref<Person>(42))
    #expect((PersonView(cache: cache, ref: 42).body as? Text)?.body == "Albert")
  }
}
