import Kinship

extension Case {
  static let oo7T1 = oo7("t1", summary: "T1: all atomic parts, depth first; ns a part") { design in
    design.systems(
      "parts", operations: design.visitsOfAtoms, expected: 2_187 * design.design.partsEach,
      bar: .ratio(1.9),
      objects: { objects in
        var count = 0
        objects.forEachPart { _ in count += 1 }
        return count
      },
      graph: { graph in
        var count = 0
        graph.forEachPart { _ in count += 1 }
        return count
      })
  }

  static let oo7T6 = oo7("t6", summary: "T6: the root parts alone; ns a part") { design in
    design.systems(
      "parts", operations: design.visitsOfComposites, expected: 2_187, bar: .ratio(1.5),
      objects: { objects in
        var count = 0
        objects.forEachPart(rootsOnly: true) { _ in count += 1 }
        return count
      },
      graph: { graph in
        var count = 0
        graph.forEachPart(rootsOnly: true) { _ in count += 1 }
        return count
      })
  }

  static let oo7T8 = oo7("t8", summary: "T8: count a letter in the manual; ns a byte") { design in
    let bytes = design.design.manual.text.utf8.count
    let phrase = "I am the manual for module 0.\n".utf8.count
    return design.systems(
      "letters", operations: bytes, expected: (bytes + phrase - 1) / phrase,
      objects: { $0.manual.letters }, graph: { $0.root.manual?.text.letters ?? 0 })
  }

  static let oo7T9 = oo7("t9", summary: "T9: is the manual's first letter its last?; ns") {
    design in
    let text = design.design.manual.text
    return design.systems(
      "answers", operations: 1_000, expected: text.first == text.last ? 1_000 : 0,
      objects: { objects in (0..<1_000).reduce(0) { count, _ in count + objects.manual.isRing } },
      graph: { graph in
        (0..<1_000).reduce(0) { count, _ in count + (graph.root.manual?.text.isRing ?? 0) }
      })
  }
}

extension String {
  fileprivate var letters: Int {
    utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "I") ? 1 : 0) }
  }

  /// 1 if it ends with its first byte, otherwise 0.
  @inline(never)
  fileprivate var isRing: Int { utf8.first == utf8.last ? 1 : 0 }
}
