// The parts of SwiftUI that the views use, declared as there, so that they compile without it.
#if !canImport(SwiftUI)
  @MainActor
  protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
  }

  @resultBuilder
  enum ViewBuilder {
    static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  }

  extension Never: View {
    var body: Never { fatalError("There is nothing to show.") }
  }

  /// A view that shows nothing here.
  protocol Leaf: View where Body == Never {}

  extension Leaf {
    var body: Never { fatalError("There is nothing to show.") }
  }

  struct Text: Leaf {
    init(_ content: some StringProtocol) {}
  }

  struct List: Leaf {
    init<Data: RandomAccessCollection>(
      _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> some View
    ) where Data.Element: Identifiable {}
  }

  struct NavigationStack: Leaf {
    init(@ViewBuilder root: () -> some View) {}
  }

  struct NavigationLink: Leaf {
    init(_ title: some StringProtocol, value: (some Hashable)?) {}
  }

  extension View {
    func searchable(text: Binding<String>) -> some View { self }

    func navigationTitle(_ title: some StringProtocol) -> some View { self }

    func navigationDestination<Value: Hashable>(
      for data: Value.Type, @ViewBuilder destination: @escaping (Value) -> some View
    ) -> some View { self }
  }

  @propertyWrapper
  struct State<Value> {
    var wrappedValue: Value
    var projectedValue: Binding<Value> { Binding() }
  }

  @dynamicMemberLookup
  struct Binding<Value> {
    subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
      Binding<Subject>()
    }
  }
#endif
