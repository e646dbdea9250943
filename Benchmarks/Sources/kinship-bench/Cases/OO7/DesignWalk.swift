import Kinship

// The walk of T1, T2, T3 and T6: down the assemblies to the private composite parts, and in each of
// these depth first over the atomic parts. The code is repeated for objects and for nodes, so that
// each copy is compiled separately.

extension DesignObjects {
  /// Visits the atomic parts of all private composite parts, or their root parts.
  func forEachPart(rootsOnly: Bool = false, _ visit: (AtomObject) -> Void) {
    var visited = VisitedParts()
    root.forEachPrivateComponent { composite in
      guard let part = composite.rootPart else { return }
      if rootsOnly { return visit(part) }
      visited.begin()
      part.walk(&visited, visit)
    }
  }
}

extension ComplexAssemblyObject {
  fileprivate func forEachPrivateComponent(_ visit: (CompositeObject) -> Void) {
    for assembly in subAssemblies { assembly.forEachPrivateComponent(visit) }
    for assembly in baseAssemblies {
      for composite in assembly.privateComponents { visit(composite) }
    }
  }
}

extension AtomObject {
  fileprivate func walk(_ visited: inout VisitedParts, _ visit: (AtomObject) -> Void) {
    guard visited.insert(id) else { return }
    visit(self)
    for connection in to { connection.to.walk(&visited, visit) }
  }
}

extension Graph<Module> {
  /// Visits the atomic parts of all private composite parts, or their root parts.
  func forEachPart(
    rootsOnly: Bool = false, _ visit: (Node<AtomicPart>) throws -> Void
  ) rethrows {
    var visited = VisitedParts()
    try root.designRoot?.forEachPrivateComponent { composite in
      guard let part = composite.rootPart else { return }
      if rootsOnly { return try visit(part) }
      visited.begin()
      try part.walk(&visited, visit)
    }
  }
}

extension Node<ComplexAssembly> {
  fileprivate func forEachPrivateComponent(
    _ visit: (Node<CompositePart>) throws -> Void
  ) rethrows {
    for assembly in self.subAssemblies { try assembly.forEachPrivateComponent(visit) }
    for assembly in self.baseAssemblies {
      for composite in assembly.privateComponents { try visit(composite) }
    }
  }
}

extension Node<AtomicPart> {
  fileprivate func walk(
    _ visited: inout VisitedParts, _ visit: (Node<AtomicPart>) throws -> Void
  ) rethrows {
    guard visited.insert(self.id) else { return }
    try visit(self)
    for connection in self.to { try connection.to?.walk(&visited, visit) }
  }
}
