/// Translates a person with the ancestors, both ways.
protocol NestedTranslator {
  init()

  /// How many persons have been translated.
  var translations: Int { get }

  mutating func dto(from model: AncestorModel, generations: Int) -> AncestorDTO
  mutating func model(from dto: AncestorDTO) -> AncestorModel
}
