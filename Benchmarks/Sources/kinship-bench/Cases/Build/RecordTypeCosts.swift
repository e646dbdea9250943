import Foundation

extension Case {
  static let buildTime = Case(
    "time", summary: "to compile one type or view more, with Kinship built already; ns each",
    sizeName: "types", sizes: \.typeCounts
  ) { size, _ in
    try comparison(size, .nanoseconds, bar: .value(0.4e9), view: .value(0.2e9)) {
      Double($0.nanoseconds)
    }
  }

  static let buildSize = Case(
    "size", summary: "of the object file for one type or view more; bytes each",
    sizeName: "types", sizes: \.typeCounts
  ) { size, _ in
    try comparison(size, .bytes, bar: .value(25_000), view: .value(12_000)) { Double($0.bytes) }
  }

  /// The cost of one more type or view: the additional cost of `size` more, divided by `size`.
  private static func comparison(
    _ size: Int, _ unit: Comparison.Unit, bar: Bar, view: Bar,
    _ figure: @escaping (Compilation) -> Double
  ) throws -> Comparison {
    let compiler = try ClientCompiler()

    func system(
      _ name: String, _ form: RecordTypeForm, isOptimised: Bool = true, bar: Bar? = nil
    ) -> System {
      System(name, bar: bar) {
        let one = try compiler.compile(form.source(types: 1), isOptimised: isOptimised)
        let many = try compiler.compile(form.source(types: size + 1), isOptimised: isOptimised)
        return Sample(value: (figure(many) - figure(one)) / Double(size), checks: [])
      }
    }
    return Comparison(
      size: size, unit: unit,
      systems: [
        system("struct alone", .plain),
        system("Kinship, a to-one", .toOne),
        system("Kinship, a to-one and a cascading to-many", .cascading, bar: bar),
        system("the same, -Onone", .cascading, isOptimised: false),
        system("Kinship, a view in a list", .view, bar: view),
      ])
  }
}

extension Effort {
  /// The number of types that are compiled beside one.
  fileprivate var typeCounts: [Int] {
    switch self {
    case .full: [20]
    case .quick: [4]
    }
  }
}
