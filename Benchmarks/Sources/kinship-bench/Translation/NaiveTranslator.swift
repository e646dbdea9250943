/// Calls itself for the parents, generation by generation: each path is translated.
struct NaiveTranslator: NestedTranslator {
  private(set) var translations = 0

  init() {}

  mutating func dto(from model: AncestorModel, generations: Int) -> AncestorDTO {
    translations += 1
    let dto = AncestorDTO(
      id: model.id, name: model.name, place: model.place, birth: model.birth)
    guard generations > 1 else { return dto }
    dto.father = model.father.map { self.dto(from: $0, generations: generations - 1) }
    dto.mother = model.mother.map { self.dto(from: $0, generations: generations - 1) }
    return dto
  }

  mutating func model(from dto: AncestorDTO) -> AncestorModel {
    translations += 1
    let model = AncestorModel(id: dto.id, name: dto.name, place: dto.place, birth: dto.birth)
    model.father = dto.father.map { self.model(from: $0) }
    model.mother = dto.mother.map { self.model(from: $0) }
    return model
  }
}
