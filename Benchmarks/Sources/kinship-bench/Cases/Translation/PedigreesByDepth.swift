import Kinship

extension Case {
  static let pedigreeCold = tenGenerations(
    "cold", summary: "a pedigree of 1,023 persons out of a database; ns a pedigree"
  ) { [$0.raw(), $0.cold(bar: .ratio(1.15))] }

  static let pedigreeByRows = tenGenerations(
    "by-rows", summary: "the same, instead of asking for one person after another; ns a pedigree"
  ) {
    [
      $0.byRows(.rollback), $0.byRows(.writeAhead), $0.byRowsAtOnce(),
      $0.cold(bar: .ratio(1 / 8)),
    ]
  }

  static let pedigreeWarm = tenGenerations(
    "warm", summary: "the same, once it is in memory; ns a pedigree"
  ) { [$0.cold(), try await $0.warm(bar: .ratio(1 / 20))] }

  /// A case of ten generations, to which the bars apply.
  private static func tenGenerations(
    _ name: String, summary: String,
    systems: @escaping @Sendable (PedigreeSystems) async throws -> [System]
  ) -> Case {
    Case(name, summary: summary, sizeName: "generations", sizes: { _ in [10] }) {
      generations, effort in
      let pedigree = try PedigreeSystems(
        .distinct(count: 100_000), generations: generations, effort: effort)
      return Comparison(size: generations, systems: try await systems(pedigree))
    }
  }

  static let distinct = Case(
    "distinct", summary: "pedigrees without collapse, by depth; ns a pedigree",
    headline:
      "Out of a database, Kinship costs little more than its statements; warm, almost nothing",
    sizeName: "generations",
    sizes: depths
  ) { generations, effort in
    let count = effort == .full ? 1_048_575 : 100_000
    return try await byDepth(.distinct(count: count), generations, effort)
  }

  static let inbred = Case(
    "collapse", summary: "pedigrees of at most 16 persons a generation, by depth; ns a pedigree",
    headline: "Where ancestors recur, naive translators pay for each path, Kinship for each person",
    sizeName: "generations",
    sizes: depths
  ) { generations, effort in
    try await byDepth(.collapsed(generations: 21, personsEach: 16), generations, effort)
  }

  static func gedcom(_ path: String) -> Case {
    Case(
      "gedcom", summary: "the pedigree with the most paths in a GEDCOM file; ns a pedigree",
      sizeName: "generations",
      sizes: { effort in effort == .full ? [1, 3, 5, 8, 11, 16, 21] : [1, 5, 11] }
    ) { generations, effort in
      try await byDepth(Lineage(gedcom: path), generations, effort)
    }
  }

  private static func depths(_ effort: Effort) -> [Int] {
    switch effort {
    case .full: [1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    case .quick: [1, 4, 8, 12, 16]
    }
  }

  private static func byDepth(
    _ lineage: Lineage, _ generations: Int, _ effort: Effort
  ) async throws -> Comparison {
    let systems = try PedigreeSystems(lineage, generations: generations, effort: effort)
    var list = [systems.raw(), systems.cold(), try await systems.warm()]
    // A million statements would take too long.
    if systems.persons <= 100_000 { list.append(systems.byRows(.rollback)) }
    list += [systems.naive(), systems.memoizing()]
    return Comparison(size: generations, systems: list)
  }
}
