import Kinship

/// A population and the roots whose pedigrees a case loads.
struct Pedigrees: Sendable {
  let population: Population<Person>
  /// Persons whose pedigrees do not overlap.
  let roots: [Ref<Person>]
  /// The generations of each pedigree, the root's own included.
  let generations: Int

  /// 64 roots, each with as many complete generations as the size allows, at most ten.
  init(size: Int) {
    population = Population(count: size)
    let rootDepth = 6
    roots = population.refs(atDepth: rootDepth)
    let completeDepths = Int.bitWidth - 1 - (size + 1).leadingZeroBitCount
    generations = min(10, completeDepths - rootDepth)
  }

  var personsEach: Int { 1 << generations - 1 }

  /// Ancestors alone, to the last complete generation.
  var plan: Plan<Person> { .following(\.father, \.mother, generations: generations - 1) }
}
