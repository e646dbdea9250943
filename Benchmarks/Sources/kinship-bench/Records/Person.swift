import Foundation
import Kinship

/// A record of 88 bytes whose ids are integers.
struct Person: PersonRecord, Codable {
  let id: Int
  var name: String
  var place: String
  var birth: Date
  var father: Ref<Person>?
  var mother: Ref<Person>?
  var children: [Ref<Person>]

  static let relationships: Relationships<Person> = [
    .toOne(\.father), .toOne(\.mother), .toMany(\.children),
  ]

  init(
    id: Int, profile: Profile, father: Ref<Person>?, mother: Ref<Person>?,
    children: [Ref<Person>]
  ) {
    self.id = id
    name = profile.name
    place = profile.place
    birth = profile.birth
    self.father = father
    self.mother = mother
    self.children = children
  }

  var digest: Int { id &+ name.utf8.count }

  static func id(_ number: Int) -> Int { number }
}
