/// Translates a person with the ancestors, both ways.
protocol NestedTranslator {
  init()

  /// The number of translated persons.
  var translations: Int { get }

  mutating func dto(from model: AncestorModel, generations: Int) -> AncestorDTO
  mutating func model(from dto: AncestorDTO) -> AncestorModel
}
