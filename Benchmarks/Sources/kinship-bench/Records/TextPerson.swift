import Foundation
import Kinship

/// The record of `Person` with ids such as "Person:42".
struct TextPerson: PersonRecord {
  let id: String
  var name: String
  var place: String
  var birth: Date
  var father: Ref<TextPerson>?
  var mother: Ref<TextPerson>?
  var children: [Ref<TextPerson>]

  static let relationships: Relationships<TextPerson> = [
    .toOne(\.father), .toOne(\.mother), .toMany(\.children),
  ]

  init(
    id: String, profile: Profile, father: Ref<TextPerson>?, mother: Ref<TextPerson>?,
    children: [Ref<TextPerson>]
  ) {
    self.id = id
    name = profile.name
    place = profile.place
    birth = profile.birth
    self.father = father
    self.mother = mother
    self.children = children
  }

  var digest: Int { place.utf8.count &+ name.utf8.count }

  static func id(_ number: Int) -> String { "Person:\(number)" }
}
