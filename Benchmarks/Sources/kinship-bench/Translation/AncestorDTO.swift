/// A person as plain data that contains other persons, as naive translators create it.
final class AncestorDTO {
  let id: Int
  var name: String
  var place: String
  var birth: Double
  var father: AncestorDTO?
  var mother: AncestorDTO?

  init(id: Int, name: String, place: String, birth: Double) {
    self.id = id
    self.name = name
    self.place = place
    self.birth = birth
  }
}
