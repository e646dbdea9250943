import Kinship

// Records refer to each other by `Ref`, and never hold each other.
struct Person: GraphRecord {
  let id: Int
  var name: String
  var father: Ref<Person>?
  var mother: Ref<Person>?
  static let relationships: Relationships<Person> = [.toOne(\.father), .toOne(\.mother)]
}

let store = MemoryStore([
  Person(id: 1, name: "Albert", father: 2, mother: 3), Person(id: 2, name: "Ernst", mother: 4),
  Person(id: 3, name: "Louise"), Person(id: 4, name: "Auguste"),
])
let cache = try GraphCache(for: Person.self, store: store, capacity: 10_000)
let albert: Ref<Person> = 1

// A view is a value of your own. The cache loads what its function reads, and can follow it.
print(try await cache.find(albert.view { "\($0.name), son of \($0.father?.name ?? "?")" }) ?? "")

// A graph of one generation: a value that names what lies beyond it. The cache loads that later.
let family = try await cache.graph(of: albert, .generations(1))
switch family[Ref<Person>(4)] {
case .loaded(let person): print("In the graph:", person.name)
case .unloaded(let ref): print("Beyond the graph:", try await cache.resolve(ref).name)
case .missing: print("There is nobody.")
}

// Records change together, in memory and in the store. Refs to a deleted record are cleared.
try await cache.write { tx in
  try tx.update(albert, \.name, to: "Bertie")
  try tx.delete(Ref<Person>(3))
}

// An observer gets the newest value at once, and again when it has changed.
for try await change in cache.observe(albert) {
  print("Observed:", change.value?.name ?? "nobody")
  break
}
