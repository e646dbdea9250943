package import Kinship

package struct Person: GraphRecord, Codable, Equatable {
  package let id: Int
  package var name: String
  package var father: Ref<Person>?
  package var places: [Ref<Place>]

  package static let recordVersion = 3
  package static let relationships: Relationships<Person> = [.toOne(\.father), .toMany(\.places)]

  package init(id: Int, name: String, father: Ref<Person>? = nil, places: [Ref<Place>] = []) {
    (self.id, self.name, self.father, self.places) = (id, name, father, places)
  }
}

package struct Place: GraphRecord, Codable, Equatable {
  package let id: String
  package var name: String?
}

/// A record whose id is encoded by the coder.
package struct Stay: GraphRecord, Codable, Equatable {
  package struct ID: Codable, Hashable, Sendable {
    package var person: Int
    package var place: String
  }

  package let id: ID
  package var years: [Int]
}

/// A person of the first version of a program.
package struct Human: GraphRecord, Codable {
  package let id: Int
  package var fullName: String
  package var father: Ref<Human>?

  package static let relationships: Relationships<Human> = [.toOne(\.father)]
}

/// A record type that no longer exists.
package struct Draft: GraphRecord, Codable {
  package let id: Int
}

/// The records of the seeds, and their changed versions.
package enum Example {
  package static let persons = [
    Person(id: 1, name: "Ann", places: ["York", "Ely"]), Person(id: -2, name: "Bob", father: 1),
    Person(id: 300, name: "Çelik", father: -2),
  ]
  /// The changed version of one person.
  package static let changedPerson = Person(id: 1, name: "Anne")
  package static let places = [Place(id: "York", name: "York"), Place(id: "Ely", name: nil)]
  package static let stays = [Stay(id: Stay.ID(person: 1, place: "York"), years: [1837, 1901])]
  package static let humans = [
    Human(id: 1, fullName: "Ann", father: nil), Human(id: 2, fullName: "Bob", father: 1),
  ]
  /// The changed version of one human.
  package static let changedHuman = Human(id: 2, fullName: "Ben", father: nil)
  package static let drafts = [Draft(id: 7)]

  package static let migrations = Migrations()
    .renaming("Human", to: Person.self)
    .removing("Draft")
    .step(for: Person.self, from: 1) { $0.rename("fullName", to: "name") }
    .step(for: Person.self, from: 2) { $0["places"] = $0["places"] ?? [] }

  package static func schema() throws -> GraphSchema {
    try GraphSchema(Person.self, Place.self, Stay.self)
  }

  package static func oldSchema() throws -> GraphSchema { try GraphSchema(Human.self, Draft.self) }
}
