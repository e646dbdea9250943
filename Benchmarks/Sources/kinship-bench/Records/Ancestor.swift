import Foundation
import Kinship

/// A person as a row of a table, with the keys of the parents only.
struct Ancestor: GraphRecord, Codable, Equatable {
  let id: Int
  var name: String
  var place: String
  /// Seconds since 2001.
  var birth: Double
  var father: Ref<Ancestor>?
  var mother: Ref<Ancestor>?

  static let relationships: Relationships<Ancestor> = [.toOne(\.father), .toOne(\.mother)]

  init(
    id: Int, name: String, place: String, birth: Double, father: Ref<Ancestor>?,
    mother: Ref<Ancestor>?
  ) {
    self.id = id
    self.name = name
    self.place = place
    self.birth = birth
    self.father = father
    self.mother = mother
  }

  init(id: Int, profile: Profile, father: Int?, mother: Int?) {
    self.init(
      id: id, name: profile.name, place: profile.place,
      birth: profile.birth.timeIntervalSinceReferenceDate, father: father.map { Ref($0) },
      mother: mother.map { Ref($0) })
  }
}
