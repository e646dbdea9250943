import Foundation
import Kinship

extension Case {
  static let oo7Q1 = oo7("q1", summary: "Q1: ten random atomic parts by their ids; ns a part") {
    design in
    var generator = SplitMix64(seed: 73)
    let atoms = design.design.atomicParts
    let lists = (0..<1_000).map { _ in
      (0..<10).map { _ in Int.random(in: atoms.indices, using: &generator) }
    }
    let refs = lists.map { $0.map { Ref<AtomicPart>($0) } }
    let expected = lists.reduce(0) { $1.reduce($0) { $0 + atoms[$1].x } }
    func sample(_ work: () async throws -> Int) async throws -> Sample {
      try await design.sample(
        "sum", operations: lists.count * 10, expected: expected, work)
    }
    return [
      System("class instances in a Dictionary") {
        try await sample {
          lists.reduce(0) { $1.reduce($0) { $0 + (design.objects.atoms[$1]?.x ?? 0) } }
        }
      },
      System("Kinship, reduce") {
        try await sample {
          var sum = 0
          for refs in refs { sum = await design.cache.reduce(refs, into: sum) { $0 += $1.x } }
          return sum
        }
      },
      System("Kinship, a graph's lookup") {
        try await sample {
          refs.reduce(0) { $1.reduce($0) { $0 + (design.graph[$1].node?.x ?? 0) } }
        }
      },
    ]
  }

  static let oo7Q2 = dates(
    "q2", summary: "Q2: the hundredth of the parts that is newest, by index; ns a part",
    from: 1_990)
  static let oo7Q3 = dates(
    "q3", summary: "Q3: the tenth of the parts that is newest, by index; ns a part", from: 1_900)

  private static func dates(_ name: String, summary: String, from date: Int) -> Case {
    oo7(name, summary: summary) { design in
      let query = RecordQuery<AtomicPart>(#Predicate { $0.buildDate >= date })
      let wanted = design.design.atomicParts.filter { $0.buildDate >= date }
      let expected = wanted.reduce(0) { $0 + $1.x }
      // The index is made by the first query.
      _ = try await design.cache.find(query)
      func sample(_ work: () async throws -> Int) async throws -> Sample {
        try await design.sample("sum", operations: wanted.count, expected: expected, work)
      }
      return [
        System("class instances, an Array a date") {
          try await sample {
            design.objects.atomsByDate[date...].reduce(0) { $1.reduce($0) { $0 + $1.x } }
          }
        },
        System("Kinship, an ordered index") {
          try await sample { try await design.cache.find(query).reduce(0) { $0 + $1.x } }
        },
      ]
    }
  }

  static let oo7Q4 = oo7(
    "q4", summary: "Q4: of 100 titles the base assemblies that use their parts; ns a title"
  ) { design in
    var generator = SplitMix64(seed: 74)
    let numbers = (0..<Design.compositeCount).shuffled(using: &generator).prefix(100)
    let titles = numbers.map { design.design.documents[$0].title }
    let uses = design.design.visitsOfComposites
    let expected = numbers.reduce(0) { $0 + uses[$1] }
    let query = RecordQuery<Document>(#Predicate { titles.contains($0.title) })
    _ = try await design.cache.find(query)
    func sample(_ work: () async throws -> Int) async throws -> Sample {
      try await design.sample("uses", operations: titles.count, expected: expected, work)
    }
    return [
      System("class instances, Dictionary of titles") {
        try await sample {
          titles.reduce(0) { count, title in
            let part = design.objects.documentsByTitle[title]?.part
            return count + (part?.usedInPrivate.reduce(0) { $0 + ($1.id >= 0 ? 1 : 0) } ?? 0)
          }
        }
      },
      System("Kinship, a hash index, and nodes") {
        try await sample {
          try await design.cache.find(query).reduce(0) { count, document in
            guard let part = design.graph[document.ref].node?.part else { return count }
            return part[CompositePart.usedInPrivate].reduce(count) { $0 + ($1.id >= 0 ? 1 : 0) }
          }
        }
      },
    ]
  }

  static let oo7Q5 = oo7(
    "q5", summary: "Q5: base assemblies that use a part newer than they are; ns an assembly"
  ) { design in
    let composites = design.design.composites.map(\.composite.buildDate)
    let assemblies = design.design.baseAssemblies
    let expected = assemblies.count { assembly in
      assembly.privateComponents.contains { composites[$0.id] > assembly.buildDate }
    }
    return design.systems(
      "assemblies", operations: assemblies.count, expected: expected,
      objects: { objects in
        objects.baseAssemblies.count { assembly in
          assembly.privateComponents.contains { $0.buildDate > assembly.buildDate }
        }
      },
      graph: { graph in
        graph.nodes(of: BaseAssembly.self).count { assembly in
          let date = assembly.buildDate
          return assembly.privateComponents.contains { $0.buildDate > date }
        }
      })
  }

  static let oo7Q7 = oo7("q7", summary: "Q7: all atomic parts, one after another; ns a part") {
    design in
    let parts = design.design.atomicParts
    let sum = parts.reduce(0) { $0 + $1.x }
    return design.systems(
      "sum and count", operations: parts.count,
      expected: sum + Design.compositeCount * design.design.partsEach,
      objects: { $0.atoms.values.reduce(0) { $0 + $1.x + 1 } },
      graph: { $0.records(of: AtomicPart.self).reduce(0) { $0 + $1.x + 1 } })
  }

  static let oo7Q8 = oo7("q8", summary: "Q8: the document of each part, by its id; ns a part") {
    design in
    let count = Design.compositeCount * design.design.partsEach
    return design.systems(
      "pairs", operations: count, expected: count,
      objects: { objects in
        objects.atoms.values.reduce(0) {
          $0 + (objects.documents[$1.docID]?.id == $1.docID ? 1 : 0)
        }
      },
      graph: { graph in
        graph.records(of: AtomicPart.self).reduce(0) {
          $0 + (graph[Ref<Document>($1.docID)].node?.id == $1.docID ? 1 : 0)
        }
      })
  }
}
