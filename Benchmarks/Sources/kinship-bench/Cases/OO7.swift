extension Subcommand {
  static let oo7 = Subcommand(
    name: "oo7", question: "What do the operations of OO7 cost, beside objects and pointers?",
    cases: [
      .oo7T1, .oo7T2a, .oo7T2b, .oo7T2c, .oo7T3a, .oo7T3b, .oo7T3c, .oo7T6, .oo7T8, .oo7T9,
      .oo7Q1, .oo7Q2, .oo7Q3, .oo7Q4, .oo7Q5, .oo7Q7, .oo7Q8, .oo7Insert, .oo7Delete,
      .oo7ColdSQLite, .oo7ColdFiles,
    ])
}

extension Effort {
  /// The numbers of objects of a small and a medium database, with three connections each.
  var designCounts: [Int] {
    switch self {
    case .full: [42_095, 402_095]
    case .quick: [42_095]
    }
  }
}

extension Case {
  /// A case about a database of `size` objects.
  static func oo7(
    _ name: String, summary: String,
    systems: @escaping @Sendable (DesignInMemory) async throws -> [System]
  ) -> Case {
    Case(name, summary: summary, sizeName: "objects", sizes: \.designCounts) { size, effort in
      let design = try await DesignInMemory(
        Design(partsEach: size > 100_000 ? 200 : 20), effort: effort)
      return Comparison(size: size, systems: try await systems(design))
    }
  }
}
