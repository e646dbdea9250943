import Kinship

extension Case {
  static let limitedStar = Case(
    "limited-star", summary: "a graph of ten, of one that refers to all others; ns a graph",
    sizes: \.starSizes
  ) { size, _ in
    let all = Folder(id: 0, name: "all", contents: (1..<size).map { Ref($0) })
    let folders = [all] + (1..<size).map { Folder(id: $0, name: "one of many", contents: []) }
    let dictionary = Dictionary(uniqueKeysWithValues: folders.map { ($0.id, $0) })
    let cache = try GraphCache(for: Folder.self)
    try await cache.put(contentsOf: folders)
    let count = 100

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, the first nine refs") {
          var found = 0
          let watch = Stopwatch()
          for _ in 0..<count {
            for ref in all.contents.prefix(9) where dictionary[ref.id] != nil { found += 1 }
          }
          return Sample(
            watch.elapsed, operations: count, checks: [Check("found", found, expected: 9 * count)])
        },
        System("Kinship, limited(to: 10)", bar: .value(100_000)) {
          var found = 0
          let watch = Stopwatch()
          for _ in 0..<count {
            found += try await cache.graph(
              of: Ref<Folder>(0), .generations(1).limited(to: 10)
            ).count
          }
          return Sample(
            watch.elapsed, operations: count, checks: [Check("found", found, expected: 10 * count)])
        },
      ])
  }
}

extension Effort {
  fileprivate var starSizes: [Int] {
    switch self {
    case .full: [1_000, 1_000_000]
    case .quick: [1_000]
    }
  }
}
