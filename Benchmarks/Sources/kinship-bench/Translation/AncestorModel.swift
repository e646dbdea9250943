import Kinship

/// A person of a model layer: an object that refers to others, as an ORM returns it.
final class AncestorModel {
  let id: Int
  var name: String
  var place: String
  var birth: Double
  var father: AncestorModel?
  var mother: AncestorModel?

  init(id: Int, name: String, place: String, birth: Double) {
    self.id = id
    self.name = name
    self.place = place
    self.birth = birth
  }

  /// The objects of records, by their ids.
  static func joined(_ records: [Ancestor]) -> [Int: AncestorModel] {
    let models = records.map {
      AncestorModel(id: $0.id, name: $0.name, place: $0.place, birth: $0.birth)
    }
    let byID = Dictionary(uniqueKeysWithValues: models.map { ($0.id, $0) })
    for (model, record) in zip(models, records) {
      model.father = record.father.flatMap { byID[$0.id] }
      model.mother = record.mother.flatMap { byID[$0.id] }
    }
    return byID
  }
}
