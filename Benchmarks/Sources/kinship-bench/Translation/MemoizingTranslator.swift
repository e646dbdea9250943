/// Remembers whom it has translated: each person is translated once, the nearest first.
struct MemoizingTranslator: NestedTranslator {
  private(set) var translations = 0

  init() {}

  mutating func dto(from root: AncestorModel, generations: Int) -> AncestorDTO {
    var known: [ObjectIdentifier: AncestorDTO] = [:]
    func dto(_ model: AncestorModel, _ next: inout [AncestorModel]) -> AncestorDTO {
      if let dto = known[ObjectIdentifier(model)] { return dto }
      let dto = AncestorDTO(
        id: model.id, name: model.name, place: model.place, birth: model.birth)
      known[ObjectIdentifier(model)] = dto
      next.append(model)
      return dto
    }
    var wanted: [AncestorModel] = []
    let result = dto(root, &wanted)
    for _ in 1..<max(1, generations) {
      var next: [AncestorModel] = []
      for model in wanted {
        let child = known[ObjectIdentifier(model)]
        child?.father = model.father.map { dto($0, &next) }
        child?.mother = model.mother.map { dto($0, &next) }
      }
      wanted = next
    }
    translations += known.count
    return result
  }

  mutating func model(from root: AncestorDTO) -> AncestorModel {
    var known: [ObjectIdentifier: AncestorModel] = [:]
    var wanted: [AncestorDTO] = []
    func model(_ dto: AncestorDTO) -> AncestorModel {
      if let model = known[ObjectIdentifier(dto)] { return model }
      let model = AncestorModel(id: dto.id, name: dto.name, place: dto.place, birth: dto.birth)
      known[ObjectIdentifier(dto)] = model
      wanted.append(dto)
      return model
    }
    let result = model(root)
    while let dto = wanted.popLast() {
      let child = known[ObjectIdentifier(dto)]
      child?.father = dto.father.map { model($0) }
      child?.mother = dto.mother.map { model($0) }
    }
    translations += known.count
    return result
  }
}
